-- Whoever joins the parts of an upload holds it meanwhile, outside of any transaction.
alter table uploads add column claim_token uuid, add column claim_until timestamptz;

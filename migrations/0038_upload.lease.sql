-- The same names as in renditions: both rows are leased by src/platform/server/db/row-lease.ts.
alter table uploads rename column claim_token to lease_token;
alter table uploads rename column claim_until to lease_until;

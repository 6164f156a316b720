-- A document whose words cannot be found is tried again later, not every minute.
alter table document_term_wishes add column retry_at timestamptz;

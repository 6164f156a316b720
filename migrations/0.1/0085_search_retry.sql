-- A document that could not be taken up is left aside for a while, so that it holds up no other.
alter table search_wishes add column retry_at timestamptz;

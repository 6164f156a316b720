-- Uploads are rewarded when their conversion is complete. Earlier awards are settled, except those that were taken back
-- completely because the conversion failed.
alter table documents add column award_settled_at timestamptz;
update documents d set award_settled_at = published_at
where retracted_award = 0 or exists (
  select 1 from ledger_events e join ledger_entries l on l.event_id = e.id
  where e.key = 'upload:' || d.id and l.account = 'user:' || d.user_id and l.amount > d.retracted_award);

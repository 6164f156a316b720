-- A document may be on its way to another segment: whoever changes it waits, and names the one it came to.
create or replace function search_announce(ids bigint[]) returns void language plpgsql as $$
declare
  changed integer;
begin
  for changed in
    select distinct segment from (
      select segment from search_slots where document_id = any(ids)
      order by document_id for share) held
  loop
    perform pg_notify('douku_changed', 'search-segment:' || changed);
  end loop;
end $$;

-- Addresses as they are kept today: without what a gateway or a network card adds to them.
update search_records set ip = regexp_replace(ip, '^::ffff:', '') where ip like '::ffff:%.%';
update search_records set ip = regexp_replace(ip, ':\d+$', '') where ip ~ '^\d+\.\d+\.\d+\.\d+:\d+$';
update search_records set ip = regexp_replace(ip, '%.*$', '') where ip like '%:%\%%';
update search_records set ip = '' where ip like '%:%' and ip !~ '^[0-9a-fA-F:]+$';

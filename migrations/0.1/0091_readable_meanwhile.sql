-- A document that has all its pages stays readable while its file is converted again, and when that
-- fails: the old pages are there until new ones replace them. The content itself tells of the failure.
create or replace function documents_follow_content() returns trigger language plpgsql as $$
declare
  -- A first look at the beginning has all of its pages too, but was never ready.
  is_complete constant boolean :=
    new.ready_at is not null and new.pages > 0 and new.ready_pages = new.pages;
begin
  if old.state is not distinct from new.state and old.summary is not distinct from new.summary then
    return null;
  end if;
  perform 1 from documents where content_id = new.id and status in (0, 1, 2, 3, 5)
    order by id for no key update;
  update documents set
    status = case
      when new.state in ('readable', 'ready') or is_complete then 2
      when new.state = 'failed' then 3
      when new.state = 'converting' then 1
      when status = 5 then 5
      else 0
    end,
    description = case when description = '' then new.summary else description end,
    language = case when language = '' then new.language else language end,
    updated_at = now()
  where content_id = new.id and status in (0, 1, 2, 3, 5);
  return null;
end $$;

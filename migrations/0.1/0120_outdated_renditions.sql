-- Pages and text that an older pipeline made may show what its author has hidden. They are made again
-- format by format; until then they stay readable.
alter table contents
  -- An older pipeline made what is stored, and a new conversion is queued. Should it fail, what is
  -- stored is withdrawn instead of staying readable.
  add column is_outdated boolean not null default false;
create index contents_version_idx on contents (format, version);

-- Files of an older pipeline that can be removed from the storage.
create table replaced_renditions (
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  format text not null,
  version smallint not null check (version > 0),
  replaced_at timestamptz not null default now(),
  primary key (hash, format, version)
);

create function contents_withdraw_outdated() returns trigger language plpgsql as $$
begin
  new.is_outdated := false;
  if new.state = 'failed' then
    new.version := 0;
    new.pages := 0;
    new.ready_pages := 0;
    new.text_size := 0;
    new.summary := '';
    new.ready_at := null;
  end if;
  return new;
end $$;
create trigger contents_withdraw_outdated before update on contents
  for each row when (old.is_outdated and old.state <> new.state and new.state in ('ready', 'failed'))
  execute function contents_withdraw_outdated();

create function contents_replaced() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  insert into replaced_renditions (hash, format, version)
    values (new.hash, new.format, old.version) on conflict do nothing;
  -- Withdrawn: no engine finds its documents by that text any more.
  if new.version = 0 then
    ids := array(select id from documents where content_id = new.id order by id);
    perform search_wish(ids, false);
    perform search_announce(ids);
    delete from search_documents where document_id = any(ids);
  end if;
  return null;
end $$;
create trigger contents_replaced after update on contents
  for each row when (old.version > 0 and old.version <> new.version)
  execute function contents_replaced();

-- A description that was taken from the text follows the text; one that a person wrote stays.
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
    description = case when description in ('', old.summary) then new.summary else description end,
    language = case when language = '' then new.language else language end,
    updated_at = now()
  where content_id = new.id and status in (0, 1, 2, 3, 5);
  return null;
end $$;

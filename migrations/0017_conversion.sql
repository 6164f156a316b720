-- One row for each distinct file and format: equal uploads share the row and its conversion.
create table renditions (
  id bigint generated always as identity primary key,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  format text not null check (format in ('pdf', 'doc', 'docx', 'rtf', 'wps', 'odt', 'ppt', 'pptx', 'odp', 'xls', 'xlsx', 'ods', 'csv', 'tsv', 'txt', 'epub', 'mobi', 'chm', 'umd', 'html', 'wordml', 'flatopc', 'fodt', 'htmltable', 'spreadsheetml', 'fods')),
  size bigint not null check (size > 0),
  state text not null default 'waiting' check (state in ('waiting', 'converting', 'readable', 'ready', 'failed')),
  reason text not null default '' check (char_length(reason) <= 500),
  attempts smallint not null default 0 check (attempts >= 0),
  user_id bigint references users on delete set null,
  version smallint not null default 0,
  view text not null default '' check (view in ('', 'pages', 'flow', 'sheet')),
  pages integer not null default 0 check (pages >= 0),
  ready_pages integer not null default 0,
  width integer not null default 0 check (width >= 0),
  height integer not null default 0 check (height >= 0),
  language text not null default '' check (char_length(language) <= 16),
  summary text not null default '' check (char_length(summary) <= 255),
  text_size bigint not null default 0 check (text_size >= 0),
  lease_token uuid,
  lease_until timestamptz,
  ready_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  convert_after timestamptz,
  queue_level smallint not null default 0 check (queue_level between 0 and 2),
  is_urgent boolean not null default false,
  claimed_at timestamptz,
  interruptions smallint not null default 0 check (interruptions >= 0),
  skip_pages integer[] not null default '{}',
  has_pdf boolean not null default false,
  size_class smallint generated always as (
    case when (size <= 1000000) then 0 when (size <= 16000000) then 1 else 2 end) stored not null,
  is_outdated boolean not null default false,
  unique (hash, format),
  check (ready_pages between 0 and pages)
);
create index renditions_unfinished_idx on renditions (state, id)
  where state <> 'ready';
create index renditions_user_id_idx on renditions (user_id)
  where user_id is not null;
create index renditions_pages_idx on renditions (pages desc nulls last);
create index renditions_queue_idx on renditions (queue_level, size_class, coalesce(user_id, 0), id)
  where convert_after is not null;
create index renditions_urgent_idx on renditions (id)
  where is_urgent;
-- Time when a worker last claimed a file of the user, for round-robin scheduling among users.
create index renditions_claimed_idx on renditions (coalesce(user_id, 0), claimed_at desc)
  where claimed_at is not null;
create index renditions_version_idx on renditions (format, version);

-- Pages that a reader waits for; the worker renders them first.
create table page_render_requests (
  rendition_id bigint not null references renditions on delete cascade,
  page integer not null check (page >= 1),
  created_at timestamptz not null default now(),
  primary key (rendition_id, page)
);

-- Outputs of older pipeline versions that a job deletes from the storage.
create table replaced_renditions (
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  format text not null,
  version smallint not null check (version > 0),
  replaced_at timestamptz not null default now(),
  primary key (hash, format, version)
);

create function renditions_record_replaced() returns trigger language plpgsql as $$
declare
  ids bigint[];
begin
  insert into replaced_renditions (hash, format, version)
    values (new.hash, new.format, old.version) on conflict do nothing;
  -- Version 0 has no text, so the documents leave the search index.
  if new.version = 0 then
    ids := array(select id from documents where rendition_id = new.id order by id);
    perform enqueue_search_index(ids, false);
    perform announce_search_segments(ids);
    delete from search_documents where document_id = any(ids);
  end if;
  return null;
end $$;

create trigger renditions_record_replaced
  after update on renditions
  for each row
  when (old.version > 0 and old.version <> new.version)
  execute function renditions_record_replaced();

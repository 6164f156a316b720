-- Metadata of the indexed documents, for filters and order. Triggers update it together with the document.
create table search_documents (
  document_id bigint primary key references documents on delete cascade,
  scope smallint not null check (scope between 0 and 3),
  user_id bigint not null,
  ext text not null,
  language text not null,
  price integer not null,
  pages integer not null,
  size bigint not null,
  created_at timestamptz not null,
  categories bigint[] not null,
  quality real not null default 0,
  title text not null,
  text_size integer not null default 0,
  indexed_at timestamptz not null default now()
);

-- Immutable segments of the inverted index: a batch of documents writes a small segment, merges write
-- larger ones. A merged segment stays until no query reads it.
create table search_segments (
  id integer generated always as identity primary key,
  slots integer not null check (slots > 0),
  blocks integer not null check (blocks > 0),
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- Posting lists: the slots that contain a term. `part` is the number of a block, or 2^32 plus the number
-- of a term that many documents contain and that therefore has its own row.
create table search_blocks (
  segment integer not null references search_segments on delete cascade,
  part bigint not null,
  data bytea not null,
  primary key (segment, part)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=0);

-- The slot of a document. Slots without a row belong to documents that were indexed again or erased.
create table search_slots (
  document_id bigint primary key references search_documents(document_id) on delete cascade,
  segment integer not null references search_segments,
  slot integer not null,
  unique (segment, slot)
);

-- Documents to index: in full, or only their metadata. The row of an erased document remains until
-- every search engine has removed it.
create table search_index_queue (
  document_id bigint primary key,
  is_full boolean not null,
  created_at timestamptz not null default now(),
  retry_at timestamptz
);

-- Name and tokenizer version of the current index. Without a row all documents are indexed.
create table search_index (
  id boolean primary key default true check (id),
  name text not null
);

-- Suggested titles and words with the keys of their prefixes: text, pinyin and initials.
create table search_suggestions (
  id bigint generated always as identity primary key,
  document_id bigint unique references documents on delete cascade,
  text text not null,
  normalized text not null,
  keys integer[] not null,
  scope smallint not null,
  weight real not null
);
create unique index search_suggestions_word_idx on search_suggestions (normalized)
  where document_id is null;
create index search_suggestions_keys_idx on search_suggestions using gin (keys) with (fastupdate=off);

create table search_records (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  ip text not null,
  user_agent text not null check (char_length(user_agent) <= 512),
  keywords text not null check (char_length(keywords) <= 200),
  total integer not null,
  page integer not null,
  spend_time real not null,
  created_at timestamptz not null default now()
);
create index search_records_created_idx on search_records (created_at desc);
create index search_records_user_idx on search_records (user_id)
  where user_id is not null;
-- The back-office orders the log by duration and by the number of results.
create index search_records_spend_time_idx on search_records (spend_time);
create index search_records_total_idx on search_records (total);
create index search_records_keywords_idx on search_records (keywords, id);

-- The search history of a user, who can clear it.
create table search_history (
  user_id bigint not null references users on delete cascade,
  keywords text not null check (char_length(keywords) <= 200),
  searched_at timestamptz not null,
  primary key (user_id, keywords)
);
create index search_history_recent_idx on search_history (user_id, searched_at desc);

create table synonyms (
  id bigint generated always as identity primary key,
  words text[] not null check ((cardinality(words) >= 2) and (cardinality(words) <= 20)),
  enable boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Documents that have a suggested word among their keywords: a word is only suggested to users who may
-- see one of these documents.
create table search_word_uses (
  normalized text not null,
  document_id bigint not null references documents on delete cascade,
  primary key (normalized, document_id)
);
create index search_word_uses_document_idx on search_word_uses (document_id);

-- From 0 to 1, logarithmic: 10,000 readers count about twice as much as 100.
create function search_quality(views integer, downloads integer, favorites integer, score integer) returns real language sql immutable as $$
  select least(1, ln(1 + views + 5.0 * downloads + 10.0 * favorites) / 15 + score / 2500.0)::real
$$;

create function search_scope(deleted_at timestamptz, visibility smallint, status smallint) returns smallint language sql immutable as $$
  select case when deleted_at is not null then 3 when status <> 2 then 2 else visibility end::smallint
$$;

-- A merge may move a document to another segment: the change waits for it and announces the new segment.
create function announce_search_segments(ids bigint[]) returns void language plpgsql as $$
declare
  changed integer;
begin
  for changed in
    select distinct segment from (
      select segment from search_slots where document_id = any(ids)
      order by document_id for share) slots
  loop
    perform pg_notify('douku_changed', 'search-segment:' || changed);
  end loop;
end $$;

create function refresh_search_metadata(ids bigint[]) returns void language plpgsql as $$
begin
  update search_documents indexed set
    scope = search_scope(d.deleted_at, d.visibility, d.status),
    user_id = d.user_id, ext = d.ext, language = d.language, price = d.price, size = d.size,
    created_at = d.created_at, pages = coalesce(r.pages, 0),
    categories = array(select category_id from document_categories
      where document_id = d.id order by category_id)
  from documents d left join renditions r on r.id = d.rendition_id
  where d.id = indexed.document_id and d.id = any(ids);
  update search_suggestions suggestion set scope = search_scope(d.deleted_at, d.visibility, d.status)
  from documents d where d.id = suggestion.document_id and d.id = any(ids);
  perform announce_search_segments(ids);
end $$;

create function enqueue_search_index(ids bigint[], full_text boolean) returns void language plpgsql as $$
begin
  insert into search_index_queue as queued (document_id, is_full)
    select distinct id, full_text from unnest(ids) id order by id
    on conflict (document_id) do update set is_full = queued.is_full or excluded.is_full;
  perform pg_notify('douku_changed', 'search-index-queue');
end $$;

-- Forces the index: the planner has no statistics about the keys and would read the whole table.
create function search_suggestions_with_keys(requested_keys integer[], max_scope smallint, max_rows integer) returns setof search_suggestions language sql stable rows 600
  set enable_seqscan to 'off' as $$
  select * from search_suggestions where keys && requested_keys and scope <= max_scope limit max_rows
$$;

create function documents_update_search() returns trigger language plpgsql as $$
begin
  -- Every change locks the queue row before the search tables: one lock order, no deadlock.
  perform enqueue_search_index(array[new.id], tg_op = 'INSERT' or old.status <> new.status
    or old.title <> new.title or old.keywords <> new.keywords
    or old.description <> new.description or old.user_id <> new.user_id
    or old.rendition_id is distinct from new.rendition_id);
  if tg_op = 'UPDATE' then perform refresh_search_metadata(array[new.id]); end if;
  return null;
end $$;

create trigger documents_update_search_insert
  after insert on documents
  for each row
  when (new.status = 2)
  execute function documents_update_search();

create trigger documents_update_search_update
  after update on documents
  for each row
  when (old.status is distinct from new.status
    or old.title is distinct from new.title
    or old.keywords is distinct from new.keywords
    or old.description is distinct from new.description
    or old.user_id is distinct from new.user_id
    or old.rendition_id is distinct from new.rendition_id
    or old.ext is distinct from new.ext
    or old.language is distinct from new.language
    or old.price is distinct from new.price
    or old.size is distinct from new.size
    or old.visibility is distinct from new.visibility
    or old.deleted_at is distinct from new.deleted_at
    or old.created_at is distinct from new.created_at)
  execute function documents_update_search();

create function documents_remove_from_search() returns trigger language plpgsql as $$
begin
  perform enqueue_search_index(array[old.id], false);
  perform announce_search_segments(array[old.id]);
  return old;
end $$;

create trigger documents_remove_from_search
  before delete on documents
  for each row
  execute function documents_remove_from_search();

create function document_categories_update_search() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(
    select id from documents where status = 2 and id in (select document_id from changed) order by id);
begin
  if ids = '{}' then return null; end if;
  perform enqueue_search_index(ids, true);
  perform refresh_search_metadata(ids);
  return null;
end $$;

create trigger document_categories_update_search_insert
  after insert on document_categories
  referencing new table as changed
  for each statement
  execute function document_categories_update_search();

create trigger document_categories_update_search_delete
  after delete on document_categories
  referencing old table as changed
  for each statement
  execute function document_categories_update_search();

-- A document is readable before its conversion has finished; its full text is complete only then.
create function renditions_update_search() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(select id from documents where rendition_id = new.id and status = 2 order by id);
begin
  if ids = '{}' then return null; end if;
  perform enqueue_search_index(ids, new.state = 'ready');
  perform refresh_search_metadata(ids);
  return null;
end $$;

create trigger renditions_update_search
  after update on renditions
  for each row
  when (old.pages <> new.pages
    or old.version <> new.version
    or (new.state = 'ready' and old.state <> 'ready'))
  execute function renditions_update_search();

-- Searches match the titles of a document's categories.
create function categories_update_search() returns trigger language plpgsql as $$
begin
  perform enqueue_search_index(array(
    select document_id from document_categories where category_id = new.id), true);
  return null;
end $$;

create trigger categories_update_search
  after update of title on categories
  for each row
  when (old.title <> new.title)
  execute function categories_update_search();

create function renditions_withdraw_outdated() returns trigger language plpgsql as $$
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

create trigger renditions_withdraw_outdated
  before update on renditions
  for each row
  when (old.is_outdated and old.state <> new.state and new.state in ('ready', 'failed'))
  execute function renditions_withdraw_outdated();

-- What is known of documents besides their text, for those who search. Exact at any time: the
-- database changes it with the document.
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

-- The words of documents, in segments that never change: a batch of documents makes a small one,
-- small ones are merged into larger ones. Merged segments stay until no query reads them.
create table search_segments (
  id integer generated always as identity primary key,
  slots integer not null check (slots > 0),
  blocks integer not null check (blocks > 0),
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- Which words stand in which slots. `part` is the number of a block, or 2^32 and the number of a
-- word that has a row of its own, because very many documents have it.
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

-- Documents to index again: completely, or only their metadata.
-- Of those erased a row remains until every engine knows.
create table search_wishes (
  document_id bigint primary key,
  is_whole boolean not null,
  created_at timestamptz not null default now(),
  retry_at timestamptz
);

-- The index and the tokenizer version that documents were last indexed with. There is none yet,
-- so all of them will be.
create table search_index (
  id boolean primary key default true check (id),
  name text not null
);

-- Titles and words suggested while a user types, under prefix keys: as written, as
-- spoken, and by first letters.
create table search_suggestions (
  id bigint generated always as identity primary key,
  document_id bigint unique references documents on delete cascade,
  text text not null,
  folded text not null,
  keys integer[] not null,
  scope smallint not null,
  weight real not null
);
create unique index search_suggestions_word_idx on search_suggestions (folded)
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
-- The log is read by what took longest and by what found nothing.
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

-- Which documents have a suggested word among their keywords: a word is suggested to those who may
-- see one of them. Filled by the index, which takes up every document after this upgrade.
create table search_word_uses (
  folded text not null,
  document_id bigint not null references documents on delete cascade,
  primary key (folded, document_id)
);
create index search_word_uses_document_idx on search_word_uses (document_id);

-- From 0 to 1: ten thousand readers are worth no more than twice a hundred.
create function search_quality(views integer, downloads integer, favorites integer, score integer) returns real language sql immutable as $$
  select least(1, ln(1 + views + 5.0 * downloads + 10.0 * favorites) / 15 + score / 2500.0)::real
$$;

create function search_scope(deleted_at timestamptz, visibility smallint, status smallint) returns smallint language sql immutable as $$
  select case when deleted_at is not null then 3 when status <> 2 then 2 else visibility end::smallint
$$;

-- A merge may move a document to another segment: the change waits for it and announces the new segment.
create function search_announce(ids bigint[]) returns void language plpgsql as $$
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

create function search_refresh(ids bigint[]) returns void language plpgsql as $$
begin
  update search_documents found set
    scope = search_scope(d.deleted_at, d.visibility, d.status),
    user_id = d.user_id, ext = d.ext, language = d.language, price = d.price, size = d.size,
    created_at = d.created_at, pages = coalesce(c.pages, 0),
    categories = array(select category_id from document_categories
      where document_id = d.id order by category_id)
  from documents d left join contents c on c.id = d.content_id
  where d.id = found.document_id and d.id = any(ids);
  update search_suggestions offered set scope = search_scope(d.deleted_at, d.visibility, d.status)
  from documents d where d.id = offered.document_id and d.id = any(ids);
  perform search_announce(ids);
end $$;

create function search_wish(ids bigint[], whole boolean) returns void language plpgsql as $$
begin
  insert into search_wishes as known (document_id, is_whole)
    select distinct id, whole from unnest(ids) id order by id
    on conflict (document_id) do update set is_whole = known.is_whole or excluded.is_whole;
  perform pg_notify('douku_changed', 'search-wishes');
end $$;

-- Looked up by the index, whatever the planner thinks of numbers it knows nothing about.
create function search_offered(wanted integer[], most_scope smallint, most integer) returns setof search_suggestions language sql stable rows 600
  set enable_seqscan to 'off' as $$
  select * from search_suggestions where keys && wanted and scope <= most_scope limit most
$$;

create function documents_searched() returns trigger language plpgsql as $$
begin
  -- The wish first, everywhere: whoever holds it may change what documents are found by.
  perform search_wish(array[new.id], tg_op = 'INSERT' or old.status <> new.status
    or old.title <> new.title or old.keywords <> new.keywords
    or old.description <> new.description or old.user_id <> new.user_id
    or old.content_id is distinct from new.content_id);
  if tg_op = 'UPDATE' then perform search_refresh(array[new.id]); end if;
  return null;
end $$;

create trigger documents_searched_insert
  after insert on documents
  for each row
  when (new.status = 2)
  execute function documents_searched();

create trigger documents_searched_update
  after update on documents
  for each row
  when (old.status is distinct from new.status
    or old.title is distinct from new.title
    or old.keywords is distinct from new.keywords
    or old.description is distinct from new.description
    or old.user_id is distinct from new.user_id
    or old.content_id is distinct from new.content_id
    or old.ext is distinct from new.ext
    or old.language is distinct from new.language
    or old.price is distinct from new.price
    or old.size is distinct from new.size
    or old.visibility is distinct from new.visibility
    or old.deleted_at is distinct from new.deleted_at
    or old.created_at is distinct from new.created_at)
  execute function documents_searched();

create function documents_search_erased() returns trigger language plpgsql as $$
begin
  perform search_wish(array[old.id], false);
  perform search_announce(array[old.id]);
  return old;
end $$;

create trigger documents_search_erased
  before delete on documents
  for each row
  execute function documents_search_erased();

create function document_categories_searched() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(
    select id from documents where status = 2 and id in (select document_id from changed) order by id);
begin
  if ids = '{}' then return null; end if;
  perform search_wish(ids, true);
  perform search_refresh(ids);
  return null;
end $$;

create trigger document_categories_searched_insert
  after insert on document_categories
  referencing new table as changed
  for each statement
  execute function document_categories_searched();

create trigger document_categories_searched_delete
  after delete on document_categories
  referencing old table as changed
  for each statement
  execute function document_categories_searched();

-- A document is readable before all of it is converted; only then is its whole text there.
create function contents_searched() returns trigger language plpgsql as $$
declare
  ids bigint[] := array(select id from documents where content_id = new.id and status = 2 order by id);
begin
  if ids = '{}' then return null; end if;
  perform search_wish(ids, new.state = 'ready');
  perform search_refresh(ids);
  return null;
end $$;

create trigger contents_searched
  after update on contents
  for each row
  when (old.pages <> new.pages
    or old.version <> new.version
    or (new.state = 'ready' and old.state <> 'ready'))
  execute function contents_searched();

-- Documents are found by the names of their categories.
create function categories_searched() returns trigger language plpgsql as $$
begin
  perform search_wish(array(
    select document_id from document_categories where category_id = new.id), true);
  return null;
end $$;

create trigger categories_searched
  after update of title on categories
  for each row
  when (old.title <> new.title)
  execute function categories_searched();

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

create trigger contents_withdraw_outdated
  before update on contents
  for each row
  when (old.is_outdated and old.state <> new.state and new.state in ('ready', 'failed'))
  execute function contents_withdraw_outdated();

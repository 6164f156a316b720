-- What is known of documents besides their text, for those who search. Exact at any time: the
-- database changes it with the document.
create table search_documents (
  document_id bigint primary key references documents on delete cascade,
  -- Who finds it: 0 everybody, 1 who is logged in, 2 its owner and those who manage documents,
  -- 3 nobody, for it lies in the recycle bin.
  scope smallint not null check (scope between 0 and 3),
  user_id bigint not null,
  ext text not null,
  language text not null,
  price integer not null,
  pages integer not null,
  size bigint not null,
  created_at timestamptz not null,
  categories bigint[] not null,
  -- From 0 to 1: how much it is read, downloaded and liked. Renewed by a job.
  quality real not null default 0,
  -- Folded as queries are.
  title text not null,
  -- Bytes of the text it was made from.
  text_size integer not null default 0,
  indexed_at timestamptz not null default now()
);

-- The words of documents, in segments that never change: a batch of documents makes a small one,
-- small ones are merged into larger ones. Those that were merged stay until nobody reads them.
create table search_segments (
  id integer generated always as identity primary key,
  -- Slots for documents, and into how many blocks its words are spread: a power of two.
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
);
alter table search_blocks alter column data set storage external;

-- Where a document is. Slots nobody points to are those of documents taken up anew, or gone.
create table search_slots (
  document_id bigint primary key references search_documents on delete cascade,
  segment integer not null references search_segments,
  slot integer not null,
  unique (segment, slot)
);

-- Documents to be taken up anew: wholly, or only for what is known of them besides their text.
-- Of those erased a row remains until every engine knows.
create table search_wishes (
  document_id bigint primary key,
  is_whole boolean not null,
  created_at timestamptz not null default now()
);

-- From 0 to 1: ten thousand readers are worth no more than twice a hundred.
create function search_quality(views integer, downloads integer, favorites integer, score integer)
  returns real language sql immutable as $$
  select least(1, ln(1 + views + 5.0 * downloads + 10.0 * favorites) / 15 + score / 2500.0)::real
$$;

create function search_scope(deleted_at timestamptz, visibility smallint, status smallint)
  returns smallint language sql immutable as $$
  select case when deleted_at is not null then 3 when status <> 2 then 2 else visibility end::smallint
$$;

-- Nodes keep what is known of the documents of a segment until they hear this.
create function search_announce(ids bigint[]) returns void language plpgsql as $$
declare
  changed integer;
begin
  for changed in select distinct segment from search_slots where document_id = any(ids) loop
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
create trigger documents_searched_insert after insert on documents
  for each row when (new.status = 2) execute function documents_searched();
create trigger documents_searched_update after update on documents
  for each row when (
    (old.status, old.title, old.keywords, old.description, old.user_id, old.content_id, old.ext,
      old.language, old.price, old.size, old.visibility, old.deleted_at, old.created_at)
    is distinct from
    (new.status, new.title, new.keywords, new.description, new.user_id, new.content_id, new.ext,
      new.language, new.price, new.size, new.visibility, new.deleted_at, new.created_at))
  execute function documents_searched();

create function documents_search_erased() returns trigger language plpgsql as $$
begin
  perform search_wish(array[old.id], false);
  perform search_announce(array[old.id]);
  return old;
end $$;
create trigger documents_search_erased before delete on documents
  for each row execute function documents_search_erased();

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
create trigger document_categories_searched_insert after insert on document_categories
  referencing new table as changed for each statement execute function document_categories_searched();
create trigger document_categories_searched_delete after delete on document_categories
  referencing old table as changed for each statement execute function document_categories_searched();

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
create trigger contents_searched after update on contents
  for each row when (old.pages <> new.pages or old.version <> new.version
    or (new.state = 'ready' and old.state <> 'ready'))
  execute function contents_searched();

-- Documents are found by the names of their categories.
create function categories_searched() returns trigger language plpgsql as $$
begin
  perform search_wish(array(
    select document_id from document_categories where category_id = new.id), true);
  return null;
end $$;
create trigger categories_searched after update of title on categories
  for each row when (old.title <> new.title) execute function categories_searched();

-- Which index documents were taken up in last, and how they were cut into words. There is none yet,
-- so all of them will be.
create table search_index (
  id boolean primary key default true check (id),
  name text not null
);

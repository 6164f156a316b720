-- A document under review has no content yet: nothing is converted before somebody has approved it.
alter table documents alter column content_id drop not null;
alter table documents add constraint documents_content_check
  check (content_id is not null or status in (4, 6, 7));
-- What its file is, for the time it has no content.
alter table documents add column format text not null;
-- When it first stood on the shelves; null while the first review is awaited.
alter table documents add column published_at timestamptz;
-- How often it went to the recycle bin, and what the owner was charged for the last time.
alter table documents add column deletions integer not null default 0 check (deletions >= 0);
alter table documents add column penalty bigint not null default 0 check (penalty between 0 and award);

-- What everybody may see at least the title of. Lists of visitors and counts mean the same rows.
create index documents_public_idx on documents (id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_public_user_idx on documents (user_id, id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);

create function document_is_public(deleted_at timestamptz, visibility smallint, status smallint)
  returns boolean language sql immutable as $$
  select deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5)
$$;

-- Locks are taken in one order everywhere: contents, documents, users, categories, each by id.
create or replace function documents_follow_content() returns trigger language plpgsql as $$
begin
  if old.state is not distinct from new.state and old.summary is not distinct from new.summary then
    return null;
  end if;
  perform 1 from documents where content_id = new.id and status in (0, 1, 2, 3, 5)
    order by id for no key update;
  update documents set
    status = case
      when new.state in ('readable', 'ready') then 2
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

-- Adds to users.doc_count; `changes` is {"<user id>": <number>}.
create function count_user_documents(changes jsonb) returns void language plpgsql as $$
begin
  perform 1 from users where id in (select key::bigint from jsonb_each(changes))
    order by id for no key update;
  update users set doc_count = doc_count + value::int
    from jsonb_each(changes) where users.id = key::bigint;
end $$;

-- Adds to categories.doc_count. Categories are kept in memory, so the change is announced.
create function count_category_documents(changes jsonb) returns void language plpgsql as $$
begin
  perform 1 from categories where id in (select key::bigint from jsonb_each(changes))
    order by id for no key update;
  update categories set doc_count = doc_count + value::int
    from jsonb_each(changes) where categories.id = key::bigint;
  perform pg_notify('douku_changed', 'categories');
end $$;

create function documents_counted() returns trigger language plpgsql as $$
declare
  by_user jsonb;
  by_category jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_object_agg(user_id, change) into by_user from (
      select user_id, count(*) as change from came where document_is_public(came.deleted_at, came.visibility, came.status) group by user_id
    ) changes;
  else
    select jsonb_object_agg(user_id, change) into by_user from (
      select user_id, sum(change) as change from (
        select user_id, -1 as change from gone where document_is_public(gone.deleted_at, gone.visibility, gone.status)
        union all
        select user_id, 1 from came where document_is_public(came.deleted_at, came.visibility, came.status)
      ) each group by user_id having sum(change) <> 0
    ) changes;
    select jsonb_object_agg(category_id, change) into by_category from (
      select link.category_id, sum(flip.change) as change
      from (
        select came.id, case when document_is_public(came.deleted_at, came.visibility, came.status) then 1 else -1 end as change
        from came join gone using (id)
        where document_is_public(came.deleted_at, came.visibility, came.status) <> document_is_public(gone.deleted_at, gone.visibility, gone.status)
      ) flip
      join document_categories link on link.document_id = flip.id
      group by link.category_id having sum(flip.change) <> 0
    ) changes;
  end if;
  if by_user is not null then perform count_user_documents(by_user); end if;
  if by_category is not null then perform count_category_documents(by_category); end if;
  return null;
end $$;
create trigger documents_counted_insert after insert on documents
  referencing new table as came for each statement execute function documents_counted();
create trigger documents_counted_update after update on documents
  referencing old table as gone new table as came for each statement execute function documents_counted();

-- Only what lies in the recycle bin is erased, so erasing changes no count.
create function refuse_document_erasure() returns trigger language plpgsql as $$
begin
  raise exception 'document % is not in the recycle bin', old.id using errcode = 'restrict_violation';
end $$;
create trigger documents_erased_from_bin before delete on documents
  for each row when (old.deleted_at is null) execute function refuse_document_erasure();

create function document_categories_counted() returns trigger language plpgsql as $$
declare
  by_category jsonb;
begin
  -- Locked, so that nobody hides or shows a document between this look and the commit.
  perform 1 from documents where id in (select document_id from changed) order by id for no key update;
  select jsonb_object_agg(category_id, change) into by_category from (
    select changed.category_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end as change
    from changed join documents on documents.id = changed.document_id
    where document_is_public(documents.deleted_at, documents.visibility, documents.status) group by changed.category_id
  ) changes;
  if by_category is not null then perform count_category_documents(by_category); end if;
  return null;
end $$;
create trigger document_categories_counted_insert after insert on document_categories
  referencing new table as changed for each statement execute function document_categories_counted();
create trigger document_categories_counted_delete after delete on document_categories
  referencing old table as changed for each statement execute function document_categories_counted();

-- A category that moves takes its documents along: they stand below its new ancestors.
create function categories_moved() returns trigger language plpgsql as $$
declare
  above bigint;
begin
  with recursive chain (id, parent_id) as (
    select id, parent_id from categories where id = new.parent_id
    union all
    select up.id, up.parent_id from categories up join chain on up.id = chain.parent_id
  )
  insert into document_categories (document_id, category_id)
    select link.document_id, chain.id from document_categories link cross join chain
    where link.category_id = new.id
    on conflict do nothing;
  above := old.parent_id;
  while above is not null loop
    -- Those which have another category below it stay; the new ancestors have one.
    delete from document_categories link
      where link.category_id = above
        and exists (
          select 1 from document_categories own
          where own.document_id = link.document_id and own.category_id = new.id)
        and not exists (
          select 1 from document_categories other join categories child on child.id = other.category_id
          where other.document_id = link.document_id and child.parent_id = above);
    select parent_id into above from categories where id = above;
  end loop;
  return null;
end $$;
create trigger categories_moved after update of parent_id on categories
  for each row when (old.parent_id is distinct from new.parent_id) execute function categories_moved();

create table documents (
  id bigint generated always as identity primary key,
  uuid text not null default substr(md5((gen_random_uuid())::text), 1, 16) unique check (uuid ~ '^[0-9a-f]{16}$'),
  user_id bigint not null references users,
  rendition_id bigint references renditions,
  title text not null check (((char_length(title) >= 1) and (char_length(title) <= 255)) and (title = btrim(title))),
  keywords text not null default '' check (char_length(keywords) <= 255),
  description text not null default '' check (char_length(description) <= 1024),
  ext text not null check (ext ~ '^\.[a-z0-9]{1,8}$'),
  size bigint not null check (size > 0),
  price integer not null default 0 check (price between 0 and 1000000),
  preview integer not null default 0 check (preview >= 0),
  language text not null default '' check (char_length(language) <= 16),
  visibility smallint not null default 0 check (visibility between 0 and 2),
  status smallint not null default 0 check (status between 0 and 7),
  reject_reason text not null default '' check (char_length(reject_reason) <= 255),
  award bigint not null default 0 check (award >= 0),
  download_count integer not null default 0 check (download_count >= 0),
  view_count integer not null default 0 check (view_count >= 0),
  favorite_count integer not null default 0 check (favorite_count >= 0),
  comment_count integer not null default 0 check (comment_count >= 0),
  score integer not null default 0 check (score between 0 and 500),
  score_count integer not null default 0 check (score_count >= 0),
  recommend_at timestamptz,
  deleted_at timestamptz,
  deleted_user_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  format text not null,
  published_at timestamptz,
  deletions integer not null default 0 check (deletions >= 0),
  penalty bigint not null default 0,
  score_sum bigint not null default 0 check (score_sum >= 0),
  -- When the award was paid, or refused because of the daily limit. Null until the conversion is complete.
  award_settled_at timestamptz,
  constraint documents_rendition_check check ((rendition_id is not null) or (status in (4, 6, 7))),
  check (penalty between 0 and award)
);
create index documents_rendition_id_idx on documents (rendition_id);
create index documents_user_id_idx on documents (user_id, id desc);
create index documents_latest_idx on documents (id desc)
  where deleted_at is null;
create index documents_status_idx on documents (status, id desc)
  where deleted_at is null;
create index documents_recommend_idx on documents (recommend_at desc)
  where recommend_at is not null and deleted_at is null;
create index documents_deleted_idx on documents (deleted_at desc)
  where deleted_at is not null;
-- Public documents. Lists for visitors and the counts use the same condition.
create index documents_public_idx on documents (id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_public_user_idx on documents (user_id, id desc)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
-- One index for each sort order of the lists, so that a page of a list needs no sort.
create index documents_created_idx on documents (created_at desc, id desc)
  where deleted_at is null;
create index documents_views_idx on documents (view_count desc, id desc)
  where deleted_at is null;
create index documents_downloads_idx on documents (download_count desc, id desc)
  where deleted_at is null;
create index documents_favorites_idx on documents (favorite_count desc, id desc)
  where deleted_at is null;
create index documents_recommended_idx on documents (recommend_at desc nulls last, id desc)
  where deleted_at is null;
create index documents_type_idx on documents (ext, id desc)
  where deleted_at is null;
create index documents_score_idx on documents (score desc, id desc)
  where deleted_at is null;
-- Recent uploaders by an index-only scan over public documents.
create index documents_published_idx on documents (published_at desc, user_id)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);
create index documents_updated_idx on documents (updated_at);
-- Sort orders of the back-office lists.
create index documents_size_idx on documents (size, id)
  where deleted_at is null;
create index documents_unpaid_award_idx on documents (published_at, id)
  where award_settled_at is null and published_at is not null and deleted_at is null and status = 2;

create table document_categories (
  document_id bigint not null references documents on delete cascade,
  category_id bigint not null references categories,
  is_readable boolean not null default false,
  primary key (document_id, category_id)
);
create index document_categories_category_idx on document_categories (category_id, document_id desc);
create index document_categories_readable_idx on document_categories (category_id, document_id desc)
  where is_readable;

-- Recent viewers of a document, so that repeated views count once: a user, or a keyed hash of a visitor's address and
-- user agent.
create table document_views (
  document_id bigint not null references documents on delete cascade,
  viewer text not null check (char_length(viewer) <= 40),
  counted_at timestamptz not null,
  primary key (document_id, viewer)
);
create index document_views_counted_at_idx on document_views (counted_at);

create function document_is_public(deleted_at timestamptz, visibility smallint, status smallint) returns boolean language sql immutable as $$
  select deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5)
$$;

-- Adds to users.doc_count; `changes` is {"<user id>": <number>}.
create function count_user_documents(changes jsonb) returns void language plpgsql as $$
begin
  perform 1 from users where id in (select key::bigint from jsonb_each(changes))
    order by id for no key update;
  update users set doc_count = doc_count + value::int
    from jsonb_each(changes) where users.id = key::bigint;
end $$;

-- Adds to categories.doc_count. Nodes cache the categories, so the change is announced.
create function count_category_documents(changes jsonb) returns void language plpgsql as $$
begin
  perform 1 from categories where id in (select key::bigint from jsonb_each(changes))
    order by id for no key update;
  update categories set doc_count = doc_count + value::int
    from jsonb_each(changes) where categories.id = key::bigint;
  perform pg_notify('douku_changed', 'categories');
end $$;

create function document_is_readable(deleted_at timestamptz, visibility smallint, status smallint) returns boolean language sql immutable as $$
  select deleted_at is null and visibility = 0 and status = 2
$$;

-- Locks every user whose counts change when these documents are erased. The cascades would lock them table by table,
-- in an order that can deadlock with other transactions.
create function lock_users_of_documents(ids bigint[]) returns void language plpgsql as $$
begin
  perform 1 from users where id in (
    select user_id from favorites where document_id = any(ids)
    union select user_id from comments where document_id = any(ids)
  ) order by id for no key update;
end $$;

create trigger documents_hide_activities
  after update of status, visibility, deleted_at on documents
  for each row
  when (document_is_public(old.deleted_at, old.visibility, old.status) <> document_is_public(new.deleted_at, new.visibility, new.status))
  execute function documents_hide_activities();

-- Includes updated_at, which changes when more pages are converted.
create trigger documents_announce
  after update of user_id, rendition_id, title, keywords, description, ext, size, price, preview, language, visibility, status, recommend_at, deleted_at on documents
  for each row
  when (old.user_id is distinct from new.user_id
    or old.rendition_id is distinct from new.rendition_id
    or old.title is distinct from new.title
    or old.keywords is distinct from new.keywords
    or old.description is distinct from new.description
    or old.ext is distinct from new.ext
    or old.size is distinct from new.size
    or old.price is distinct from new.price
    or old.preview is distinct from new.preview
    or old.language is distinct from new.language
    or old.visibility is distinct from new.visibility
    or old.status is distinct from new.status
    or old.recommend_at is distinct from new.recommend_at
    or old.deleted_at is distinct from new.deleted_at
    or old.updated_at is distinct from new.updated_at)
  execute function announce_row('document');

-- Only the page of the document shows these; lists may be stale for a moment.
create trigger documents_announce_reactions
  after update of favorite_count, comment_count, score, score_count on documents
  for each row
  when (old.favorite_count is distinct from new.favorite_count
    or old.comment_count is distinct from new.comment_count
    or old.score is distinct from new.score
    or old.score_count is distinct from new.score_count)
  execute function announce_row('document-counts');

-- Copies the state of the rendition. A description extracted from the text is replaced; one that a user wrote is not.
create function documents_follow_rendition() returns trigger language plpgsql as $$
declare
  -- A quick preview also has all of its pages, but no ready_at.
  is_complete constant boolean :=
    new.ready_at is not null and new.pages > 0 and new.ready_pages = new.pages;
begin
  if old.state is not distinct from new.state and old.summary is not distinct from new.summary then
    return null;
  end if;
  perform 1 from documents where rendition_id = new.id and status in (0, 1, 2, 3, 5)
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
  where rendition_id = new.id and status in (0, 1, 2, 3, 5);
  return null;
end $$;

create trigger documents_follow_rendition
  after update of state, summary on renditions
  for each row
  execute function documents_follow_rendition();

create function documents_update_counts() returns trigger language plpgsql as $$
declare
  by_user jsonb;
  by_category jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_object_agg(user_id, change) into by_user from (
      select user_id, count(*) as change from new_rows where document_is_public(new_rows.deleted_at, new_rows.visibility, new_rows.status) group by user_id
    ) changes;
  else
    select jsonb_object_agg(user_id, change) into by_user from (
      select user_id, sum(change) as change from (
        select user_id, -1 as change from old_rows where document_is_public(old_rows.deleted_at, old_rows.visibility, old_rows.status)
        union all
        select user_id, 1 from new_rows where document_is_public(new_rows.deleted_at, new_rows.visibility, new_rows.status)
      ) each group by user_id having sum(change) <> 0
    ) changes;
    select jsonb_object_agg(category_id, change) into by_category from (
      select link.category_id, sum(flip.change) as change
      from (
        select new_rows.id, case when document_is_public(new_rows.deleted_at, new_rows.visibility, new_rows.status) then 1 else -1 end as change
        from new_rows join old_rows using (id)
        where document_is_public(new_rows.deleted_at, new_rows.visibility, new_rows.status) <> document_is_public(old_rows.deleted_at, old_rows.visibility, old_rows.status)
      ) flip
      join document_categories link on link.document_id = flip.id
      group by link.category_id having sum(flip.change) <> 0
    ) changes;
  end if;
  if by_user is not null then perform count_user_documents(by_user); end if;
  if by_category is not null then perform count_category_documents(by_category); end if;
  return null;
end $$;

create trigger documents_update_counts_insert
  after insert on documents
  referencing new table as new_rows
  for each statement
  execute function documents_update_counts();

create trigger documents_update_counts_update
  after update on documents
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function documents_update_counts();

-- Only documents in the recycle bin are erased, so erasing changes no count.
create function refuse_document_erasure() returns trigger language plpgsql as $$
begin
  raise exception 'document % is not in the recycle bin', old.id using errcode = 'restrict_violation';
end $$;

create trigger documents_refuse_erasure
  before delete on documents
  for each row
  when (old.deleted_at is null)
  execute function refuse_document_erasure();

create function document_categories_update_counts() returns trigger language plpgsql as $$
declare
  by_category jsonb;
begin
  -- Locked, so that no transaction hides or shows a document before this one commits.
  perform 1 from documents where id in (select document_id from changed) order by id for no key update;
  select jsonb_object_agg(category_id, change) into by_category from (
    select changed.category_id, count(*) * case tg_op when 'INSERT' then 1 else -1 end as change
    from changed join documents on documents.id = changed.document_id
    where document_is_public(documents.deleted_at, documents.visibility, documents.status) group by changed.category_id
  ) changes;
  if by_category is not null then perform count_category_documents(by_category); end if;
  return null;
end $$;

create trigger document_categories_update_counts_insert
  after insert on document_categories
  referencing new table as changed
  for each statement
  execute function document_categories_update_counts();

create trigger document_categories_update_counts_delete
  after delete on document_categories
  referencing old table as changed
  for each statement
  execute function document_categories_update_counts();

-- The documents of a moved category leave its old ancestors and join the new ones.
create function categories_move_documents() returns trigger language plpgsql as $$
declare
  ancestor_id bigint;
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
  ancestor_id := old.parent_id;
  while ancestor_id is not null loop
    -- Documents that have another category below `ancestor_id` stay, including all documents below the new ancestors.
    delete from document_categories link
      where link.category_id = ancestor_id
        and exists (
          select 1 from document_categories moved
          where moved.document_id = link.document_id and moved.category_id = new.id)
        and not exists (
          select 1 from document_categories other join categories child on child.id = other.category_id
          where other.document_id = link.document_id and child.parent_id = ancestor_id);
    select parent_id into ancestor_id from categories where id = ancestor_id;
  end loop;
  return null;
end $$;

create trigger categories_move_documents
  after update of parent_id on categories
  for each row
  when (old.parent_id is distinct from new.parent_id)
  execute function categories_move_documents();

create function document_categories_set_readable() returns trigger language plpgsql as $$
begin
  select document_is_readable(deleted_at, visibility, status) into strict new.is_readable
    from documents where id = new.document_id for no key update;
  return new;
end $$;

create trigger document_categories_set_readable
  before insert on document_categories
  for each row
  execute function document_categories_set_readable();

create function documents_refresh_readable() returns trigger language plpgsql as $$
begin
  update document_categories
    set is_readable = document_is_readable(new.deleted_at, new.visibility, new.status)
    where document_id = new.id;
  return null;
end $$;

create trigger documents_refresh_readable
  after update of status, visibility, deleted_at on documents
  for each row
  when (document_is_readable(old.deleted_at, old.visibility, old.status) <> document_is_readable(new.deleted_at, new.visibility, new.status))
  execute function documents_refresh_readable();

-- Announces that the visible favorites of a user have changed although their number has not.
create function announce_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', 'user:' || new.user_id);
  return null;
end $$;

create function documents_rename_references() returns trigger language plpgsql as $$
begin
  update activities set payload = jsonb_set(payload, '{document,title}', to_jsonb(new.title))
    where document_id = new.id;
  update notifications set payload = jsonb_set(payload, '{document,title}', to_jsonb(new.title))
    where payload ? 'document' and (payload -> 'document' ->> 'id')::bigint = new.id;
  return null;
end $$;

create trigger documents_rename_references
  after update of title on documents
  for each row
  when (old.title is distinct from new.title)
  execute function documents_rename_references();

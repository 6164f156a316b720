create table comments (
  id bigint generated always as identity primary key,
  document_id bigint not null references documents on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- What it answers, and the first of the conversation it belongs to.
  parent_id bigint,
  root_id bigint,
  content text not null check (char_length(content) <= 1000),
  -- Who is named in it: [{"id": 1, "username": "…"}].
  mention jsonb not null default '[]' check (jsonb_typeof(mention) = 'array'),
  -- 0 under review, 1 approved, 2 refused.
  status smallint not null check (status between 0 and 2),
  reject_reason text not null default '' check (char_length(reject_reason) <= 255),
  -- Of the first of a conversation: how many answers can be read.
  comment_count integer not null default 0 check (comment_count >= 0),
  ip text not null default '' check (char_length(ip) <= 64),
  -- When it was first approved: what follows from it happens once.
  published_at timestamptz,
  edited_at timestamptz,
  -- Answers outlive what they answer: of a deleted one the place stays.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  constraint comments_document_key unique (id, document_id),
  -- A conversation stays with one document.
  constraint comments_parent_fkey foreign key (parent_id, document_id)
    references comments (id, document_id) on delete cascade,
  constraint comments_root_fkey foreign key (root_id, document_id)
    references comments (id, document_id) on delete cascade,
  constraint comments_thread_check check ((parent_id is null) = (root_id is null)),
  constraint comments_deleted_check check ((content = '') = (deleted_at is not null))
);
create index comments_document_id_idx on comments (document_id, id desc);
create index comments_first_idx on comments (document_id, id desc) where root_id is null;
create index comments_root_id_idx on comments (root_id, id) where root_id is not null;
create index comments_parent_id_idx on comments (parent_id) where parent_id is not null;
create index comments_user_id_idx on comments (user_id, id desc);
create index comments_status_idx on comments (status, id desc) where deleted_at is null;

create function comment_is_counted(status smallint, deleted_at timestamptz) returns boolean
  language sql immutable as $$ select status = 1 and deleted_at is null $$;

create function comments_counted() returns trigger language plpgsql as $$
declare
  steps jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, 1 as step from came
      where comment_is_counted(status, deleted_at)) each;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, -1 as step from gone
      where comment_is_counted(status, deleted_at)) each;
  else
    select jsonb_agg(each) into steps from (
      select came.document_id, came.user_id, came.root_id,
        case when comment_is_counted(came.status, came.deleted_at) then 1 else -1 end as step
      from came join gone using (id)
      where comment_is_counted(came.status, came.deleted_at) <> comment_is_counted(gone.status, gone.deleted_at)) each;
  end if;
  if steps is null then return null; end if;
  -- In the one order of locks: documents, users, then what belongs to them.
  perform count_by_id('documents', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'document_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) group by 1) each));
  perform count_by_id('users', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'user_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) group by 1) each));
  perform count_by_id('comments', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'root_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) where value ->> 'root_id' is not null group by 1) each));
  return null;
end $$;
create trigger comments_counted_insert after insert on comments
  referencing new table as came for each statement execute function comments_counted();
create trigger comments_counted_update after update on comments
  referencing old table as gone new table as came for each statement execute function comments_counted();
create trigger comments_counted_delete after delete on comments
  referencing old table as gone for each statement execute function comments_counted();

-- Whoever erases documents changes the counts of all who had to do with them. They are locked first and together: table by
-- table their ids would come in another order than everybody else's.
create function lock_document_people(ids bigint[]) returns void language plpgsql as $$
begin
  perform 1 from users where id in (
    select user_id from favorites where document_id = any(ids)
    union select user_id from comments where document_id = any(ids)
  ) order by id for no key update;
end $$;

create table comments (
  id bigint generated always as identity primary key,
  document_id bigint not null references documents on delete cascade,
  user_id bigint not null references users on delete cascade,
  parent_id bigint,
  root_id bigint,
  content text not null check (char_length(content) <= 1000),
  mention jsonb not null default '[]' check (jsonb_typeof(mention) = 'array'),
  status smallint not null check (status between 0 and 2),
  reject_reason text not null default '' check (char_length(reject_reason) <= 255),
  comment_count integer not null default 0 check (comment_count >= 0),
  ip text not null default '' check (char_length(ip) <= 64),
  published_at timestamptz,
  edited_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  constraint comments_document_key unique (id, document_id),
  constraint comments_parent_fkey foreign key (parent_id, document_id) references comments(id, document_id) on delete cascade,
  constraint comments_root_fkey foreign key (root_id, document_id) references comments(id, document_id) on delete cascade,
  constraint comments_thread_check check ((parent_id is null) = (root_id is null)),
  constraint comments_deleted_check check ((content = '') = (deleted_at is not null))
);
create index comments_document_id_idx on comments (document_id, id desc);
create index comments_first_idx on comments (document_id, id desc)
  where root_id is null;
create index comments_root_id_idx on comments (root_id, id)
  where root_id is not null;
create index comments_parent_id_idx on comments (parent_id)
  where parent_id is not null;
create index comments_user_id_idx on comments (user_id, id desc);
create index comments_status_idx on comments (status, id desc)
  where deleted_at is null;
create index comments_created_idx on comments using brin (created_at) with (pages_per_range='32', autosummarize='on');

create function comment_is_counted(status smallint, deleted_at timestamptz) returns boolean language sql immutable as $$ select status = 1 and deleted_at is null $$;

create function comments_update_counts() returns trigger language plpgsql as $$
declare
  steps jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, 1 as step from new_rows
      where comment_is_counted(status, deleted_at)) each;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, -1 as step from old_rows
      where comment_is_counted(status, deleted_at)) each;
  else
    select jsonb_agg(each) into steps from (
      select new_rows.document_id, new_rows.user_id, new_rows.root_id,
        case when comment_is_counted(new_rows.status, new_rows.deleted_at) then 1 else -1 end as step
      from new_rows join old_rows using (id)
      where comment_is_counted(new_rows.status, new_rows.deleted_at) <> comment_is_counted(old_rows.status, old_rows.deleted_at)) each;
  end if;
  if steps is null then return null; end if;
  -- Locks in the common order: documents, users, then their dependent rows.
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

create trigger comments_update_counts_insert
  after insert on comments
  referencing new table as new_rows
  for each statement
  execute function comments_update_counts();

create trigger comments_update_counts_update
  after update on comments
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function comments_update_counts();

create trigger comments_update_counts_delete
  after delete on comments
  referencing old table as old_rows
  for each statement
  execute function comments_update_counts();

-- 文辑: named lists of favorites in a chosen order, private or public.
create table favorite_folders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  title text not null check (((char_length(title) >= 1) and (char_length(title) <= 50)) and (title = btrim(title))),
  description text not null default '' check (char_length(description) <= 255),
  is_public boolean not null default false,
  sort integer not null default 0,
  favorite_count integer not null default 0 check (favorite_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint favorite_folders_owner_key unique (id, user_id)
);
create unique index favorite_folders_title_key on favorite_folders (user_id, lower(title));

create table favorites (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  folder_id bigint,
  sort integer not null default 0,
  created_at timestamptz not null,
  constraint favorites_user_document_key unique (user_id, document_id),
  constraint favorites_folder_fkey foreign key (folder_id, user_id) references favorite_folders(id, user_id) on delete set null (folder_id)
);
create index favorites_user_id_idx on favorites (user_id, id desc);
create index favorites_document_id_idx on favorites (document_id);
create index favorites_folder_id_idx on favorites (folder_id, sort, id desc)
  where folder_id is not null;

create trigger favorite_folders_announce
  after update of is_public on favorite_folders
  for each row
  when (old.is_public <> new.is_public)
  execute function announce_owner();

create trigger favorites_announce
  after update of folder_id on favorites
  for each row
  when (old.folder_id is distinct from new.folder_id)
  execute function announce_owner();

-- Locks in the common order: documents, users, then their dependent rows.
create function favorites_update_counts() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform count_by_id('documents', 'favorite_count',
    (select jsonb_object_agg(document_id, number * sign) from
      (select document_id, count(*) as number from changed group by document_id) each));
  perform count_by_id('users', 'favorite_count',
    (select jsonb_object_agg(user_id, number * sign) from
      (select user_id, count(*) as number from changed group by user_id) each));
  perform count_by_id('favorite_folders', 'favorite_count',
    (select jsonb_object_agg(folder_id, number * sign) from
      (select folder_id, count(*) as number from changed where folder_id is not null group by folder_id) each));
  return null;
end $$;

create trigger favorites_update_counts_insert
  after insert on favorites
  referencing new table as changed
  for each statement
  execute function favorites_update_counts();

create trigger favorites_update_counts_delete
  after delete on favorites
  referencing old table as changed
  for each statement
  execute function favorites_update_counts();

create function favorites_update_folder_counts() returns trigger language plpgsql as $$
begin
  perform count_by_id('favorite_folders', 'favorite_count',
    (select jsonb_object_agg(folder_id, number) from (
      select folder_id, sum(step) as number from (
        select folder_id, -1 as step from old_rows union all select folder_id, 1 from new_rows
      ) steps where folder_id is not null group by folder_id having sum(step) <> 0
    ) each));
  return null;
end $$;

create trigger favorites_update_folder_counts
  after update on favorites
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function favorites_update_folder_counts();

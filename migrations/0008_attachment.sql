create table attachments (
  id bigint generated always as identity primary key,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  user_id bigint references users on delete set null,
  type smallint not null default 0 check (type between 0 and 7),
  type_id bigint not null default 0 check (type_id >= 0),
  enable boolean not null default true,
  path text not null check (char_length(path) between 1 and 255),
  name text not null default '' check (char_length(name) <= 255),
  size bigint not null check (size >= 0),
  width integer not null default 0 check (width >= 0),
  height integer not null default 0 check (height >= 0),
  ext text not null default '' check (char_length(ext) <= 32),
  ip text not null default '',
  description text not null default '' check (char_length(description) <= 255),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index attachments_hash_idx on attachments (hash);
create index attachments_path_idx on attachments (path);
create index attachments_user_id_idx on attachments (user_id);
create index attachments_use_idx on attachments (type, type_id)
  where type_id > 0;
create index attachments_unused_idx on attachments (created_at)
  where type_id = 0;
create index attachments_unused_document_idx on attachments (created_at)
  where type = 2 and type_id = 0 and enable;

-- Hashes of document files whose row was deleted. A job later deletes the file and its renditions, unless another row
-- refers to them by then.
create table removed_files (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  removed_at timestamptz not null
);
create index removed_files_removed_at_idx on removed_files (removed_at);

-- Releases the avatar (type 1) of a deleted account, also when a cascade deletes it.
create function release_avatars() returns trigger language plpgsql as $$
begin
  update attachments set type_id = 0 where type = 1 and type_id = old.id;
  return null;
end $$;

create trigger users_release_avatars
  after delete on users
  for each row
  execute function release_avatars();

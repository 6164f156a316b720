-- What people did, as facts; the sentence is made when it is read.
create table activities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  type smallint not null check (type between 1 and 14),
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  created_at timestamptz not null default now()
);
create index activities_user_id_idx on activities (user_id, id desc);
-- What others may see: comment, favorite, upload, register, sign, share, follow.
create index activities_public_idx on activities (user_id, id desc) where type in (1, 2, 3, 6, 11, 12, 13);

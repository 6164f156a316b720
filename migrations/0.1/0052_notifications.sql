-- What somebody is told of what others did, as facts; the sentence is made when it is read.
create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('comment', 'reply', 'mention', 'favorite', 'follow', 'review', 'report')),
  -- Names the happening, so that it is told once whatever the concurrency.
  key text not null check (char_length(key) between 1 and 200),
  -- Who did it; nobody when it was the site.
  actor_id bigint references users on delete cascade,
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  read_at timestamptz,
  -- When it was told by mail, or passed over for it.
  mailed_at timestamptz,
  created_at timestamptz not null,
  constraint notifications_key unique (user_id, key)
);
create index notifications_user_id_idx on notifications (user_id, id desc);
create index notifications_unread_idx on notifications (user_id, id desc) where read_at is null;
create index notifications_unmailed_idx on notifications (user_id, id) where read_at is null and mailed_at is null;
create index notifications_actor_id_idx on notifications (actor_id) where actor_id is not null;
create index notifications_created_at_idx on notifications (created_at);

-- What somebody wants to be told of, where it is not what is usual.
create table notification_settings (
  user_id bigint not null references users on delete cascade,
  kind text not null,
  site boolean not null,
  mail boolean not null,
  primary key (user_id, kind)
);

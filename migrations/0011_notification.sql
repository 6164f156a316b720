-- Notifications of a user as data; the sentence is composed when it is read.
create table notifications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  kind text not null check (kind in ('comment', 'reply', 'mention', 'favorite', 'follow', 'review', 'report')),
  key text not null check (char_length(key) between 1 and 200),
  actor_id bigint references users on delete cascade,
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  read_at timestamptz,
  mailed_at timestamptz,
  created_at timestamptz not null,
  constraint notifications_key unique (user_id, key)
);
create index notifications_user_id_idx on notifications (user_id, id desc);
create index notifications_unread_idx on notifications (user_id, id desc)
  where read_at is null;
create index notifications_unmailed_idx on notifications (user_id, id)
  where read_at is null and mailed_at is null;
create index notifications_actor_id_idx on notifications (actor_id)
  where actor_id is not null;
create index notifications_created_at_idx on notifications (created_at);
-- Finds the notifications of an event that is retracted, such as a deleted comment.
create index notifications_by_key_idx on notifications (key);
-- Finds the notifications about a document when its title changes.
create index notifications_document_idx on notifications (((((payload -> 'document') ->> 'id'))::bigint))
  where payload ? 'document';

-- Notification settings of a user that differ from the default.
create table notification_settings (
  user_id bigint not null references users on delete cascade,
  kind text not null,
  site boolean not null,
  mail boolean not null,
  primary key (user_id, kind)
);

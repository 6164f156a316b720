create table users (
  id bigint generated always as identity primary key,
  username text not null check (char_length(username) between 3 and 32),
  password_hash text not null,
  email text not null default '',
  mobile text not null default '',
  realname text not null default '',
  identity text not null default '',
  address text not null default '',
  signature text not null default '',
  avatar text not null default '',
  doc_count integer not null default 0,
  follow_count integer not null default 0,
  fans_count integer not null default 0,
  favorite_count integer not null default 0,
  comment_count integer not null default 0,
  credit_count bigint not null default 0 check (credit_count >= 0),
  register_ip text not null default '',
  last_login_ip text not null default '',
  login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Names that differ only in case would be mistaken for each other.
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email)) where email <> '';

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of the token: a stolen table opens no session.
  token_hash bytea not null unique,
  ip text not null default '',
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

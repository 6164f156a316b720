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
  updated_at timestamptz not null default now(),
  ban_reason text not null default '',
  is_banned boolean not null default false,
  banned_until timestamptz,
  hide_favorite boolean not null default false,
  hide_follow boolean not null default false
);
-- Case-insensitive, because users would confuse names that differ only in case.
create unique index users_username_key on users (lower(username));
create unique index users_email_key on users (lower(email))
  where email <> '';
create index users_created_at_idx on users (created_at desc);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  token_hash bytea not null unique,
  ip text not null default '',
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table password_resets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index password_resets_user_id_idx on password_resets (user_id);

create table totp_secrets (
  user_id bigint primary key references users on delete cascade,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Codes that verify an e-mail address: one valid code for each purpose, address and account.
create table email_codes (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('register', 'change_email')),
  email text not null,
  user_id bigint not null,
  code_hash text not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  unique (purpose, email, user_id)
);
create index email_codes_expires_at_idx on email_codes (expires_at);

-- Any page may show the name or the avatar. Excludes counts and logins by name, so that columns added later are announced.
create trigger users_announce_update
  after update on users
  for each row
  when ((to_jsonb(old.*) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[]) is distinct from (to_jsonb(new.*) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[]))
  execute function announce_change('users');

create trigger users_announce_delete
  after delete on users
  for each statement
  execute function announce_change('users');

-- Only the user's pages show the counts.
create trigger users_announce_counts
  after update of doc_count, follow_count, fans_count, favorite_count, comment_count on users
  for each row
  when (old.doc_count is distinct from new.doc_count
    or old.follow_count is distinct from new.follow_count
    or old.fans_count is distinct from new.fans_count
    or old.favorite_count is distinct from new.favorite_count
    or old.comment_count is distinct from new.comment_count)
  execute function announce_row('user');

alter table users
  add column ban_reason text not null default '',
  add column is_banned boolean not null default false,
  -- null with is_banned means for good
  add column banned_until timestamptz;
create index users_created_at_idx on users (created_at desc);

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
  -- null until the first code was entered
  confirmed_at timestamptz,
  -- a code opens once: steps up to this one are used up
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

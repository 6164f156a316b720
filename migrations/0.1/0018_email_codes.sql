-- Codes mailed to an address to show that it can be read: one alive for each purpose, address and account.
create table email_codes (
  id bigint generated always as identity primary key,
  purpose text not null check (purpose in ('register', 'change_email')),
  -- in lower case
  email text not null,
  -- 0 where there is no account yet
  user_id bigint not null,
  code_hash text not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  unique (purpose, email, user_id)
);
create index email_codes_expires_at_idx on email_codes (expires_at);

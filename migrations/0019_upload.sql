-- Resumable uploads. The received bytes are parts in the storage, so any node can accept the next part.
create table uploads (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  user_id bigint not null references users on delete cascade,
  name text not null check (char_length(name) between 1 and 255),
  size bigint not null check (size > 0),
  received bigint not null default 0,
  parts text[] not null default '{}'::text[],
  attachment_id bigint references attachments on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  claim_token uuid,
  claim_until timestamptz,
  check (received between 0 and size)
);
create index uploads_user_id_idx on uploads (user_id);
create index uploads_updated_at_idx on uploads (updated_at);

-- Challenges of instant uploads: only a browser that has the bytes of the file can answer them.
create table upload_challenges (
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  user_id bigint not null references users on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  name text not null check (char_length(name) between 1 and 255),
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  ranges jsonb not null,
  expires_at timestamptz not null
);
create index upload_challenges_user_id_idx on upload_challenges (user_id);
create index upload_challenges_expires_at_idx on upload_challenges (expires_at);

-- Announced bytes of uploads in one request, while they are received. The receiving process renews `expires_at`.
create table upload_reservations (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  size bigint not null check (size >= 0),
  expires_at timestamptz not null
);
create index upload_reservations_user_id_idx on upload_reservations (user_id);
create index upload_reservations_expires_at_idx on upload_reservations (expires_at);

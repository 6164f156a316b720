-- Announced bytes of uploads in one request, while they are received. The receiving process renews `expires_at`.
create table upload_reservations (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  size bigint not null check (size >= 0),
  expires_at timestamptz not null
);
create index upload_reservations_user_id_idx on upload_reservations (user_id);
create index upload_reservations_expires_at_idx on upload_reservations (expires_at);

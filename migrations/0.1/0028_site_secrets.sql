-- Keys the site made for itself; every node signs and checks with the same ones.
create table site_secrets (
  name text primary key check (name ~ '^[a-z-]{1,32}$'),
  value bytea not null default sha256(gen_random_uuid()::text::bytea || gen_random_uuid()::text::bytea)
    check (octet_length(value) = 32)
);

create table captchas (
  id uuid primary key,
  purpose text not null,
  answer_hash bytea not null,
  expires_at timestamptz not null
);
create index captchas_expires_at_idx on captchas (expires_at);

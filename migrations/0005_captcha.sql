create table captchas (
  id uuid primary key,
  purpose text not null,
  answer_hash bytea,
  expires_at timestamptz not null,
  work_bits smallint check (work_bits between 1 and 20),
  constraint captchas_answer_or_work check (num_nonnulls(answer_hash, work_bits) = 1)
);
create index captchas_expires_at_idx on captchas (expires_at);

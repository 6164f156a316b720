-- Counters of attempts. Unlogged: losing them in a crash opens a new window and nothing else.
create unlogged table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at_idx on rate_limits (resets_at);

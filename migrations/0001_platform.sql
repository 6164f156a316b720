-- Kinds of default content that the first start has inserted. Each row is written in the transaction of its content, so
-- that content which an administrator deleted is not inserted again.
create table seeds (
  name text primary key,
  created_at timestamptz not null default now()
);

-- Counters of the rate limits. Unlogged: a crash only resets the counters.
create unlogged table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at_idx on rate_limits (resets_at);

-- Generated signing keys, shared by all nodes.
create table site_secrets (
  name text primary key check (name ~ '^[a-z-]{1,32}$'),
  value bytea not null default sha256((((gen_random_uuid())::text)::bytea || ((gen_random_uuid())::text)::bytea)) check (octet_length(value) = 32)
);

-- Adds to a counter column; `changes` is {"<id>": <number>}. Locks rows in the order of their ids to avoid deadlocks.
create function count_by_id(target regclass, counter text, changes jsonb) returns void language plpgsql as $$
begin
  if changes is null then return; end if;
  execute format(
    'with held as (select id from %s where id in (select key::bigint from jsonb_each($1)) order by id for no key update)
     select count(*) from held', target) using changes;
  execute format(
    'update %1$s set %2$I = %2$I + value::int from jsonb_each($1) where %1$s.id = key::bigint', target, counter)
    using changes;
end $$;

-- Nodes cache rendered pages of visitors in memory and invalidate them by these notifications. View and download counts
-- are excluded: they change with each request and may be stale for a moment.
create function announce_row() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0] || ':' || new.id);
  return null;
end $$;

create function announce_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0]);
  return null;
end $$;

-- What the first start has filled in, written together with it: it is never filled in again,
-- also when an administrator has deleted all of it.
create table seeds (
  name text primary key,
  created_at timestamptz not null default now()
);

-- Counters of attempts. Unlogged: losing them in a crash opens a new window and nothing else.
create unlogged table rate_limits (
  key text primary key,
  hits integer not null,
  resets_at timestamptz not null
);
create index rate_limits_resets_at_idx on rate_limits (resets_at);

-- Keys the site made for itself; every node signs and checks with the same ones.
create table site_secrets (
  name text primary key check (name ~ '^[a-z-]{1,32}$'),
  value bytea not null default sha256((((gen_random_uuid())::text)::bytea || ((gen_random_uuid())::text)::bytea)) check (octet_length(value) = 32)
);

-- Adds to one column of a table; `changes` is {"<id>": <number>}. Rows are locked by id, so that two never wait for each other.
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

-- Rendered pages of visitors are cached in memory; every change of the data they show is announced. Views and downloads are left out: they change with every look, and may lag for a moment.
create function row_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0] || ':' || new.id);
  return null;
end $$;

create function change_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0]);
  return null;
end $$;

-- The rows of contents are the queue of conversions: workers claim them by a lease. A row cannot be
-- lost with a job, and the order is decided when a worker is free, not when the file was uploaded.
alter table contents
  -- Null: not queued. Otherwise a worker may claim the row from this moment on.
  add column convert_after timestamptz,
  -- 0 until its first slice of processor time is used up; higher levels run in the background.
  add column queue_level smallint not null default 0 check (queue_level between 0 and 2),
  -- A reader waits for one of its pages.
  add column is_urgent boolean not null default false,
  add column claimed_at timestamptz,
  -- How often the process that converted it died since its last progress.
  add column interruptions smallint not null default 0 check (interruptions >= 0),
  -- Pages that an earlier attempt could not draw.
  add column skip_pages integer[] not null default '{}',
  -- The PDF that LibreOffice made of it is stored; later attempts begin with it.
  add column has_pdf boolean not null default false,
  add column size_class smallint not null generated always as (
    case when size <= 1000000 then 0 when size <= 16000000 then 1 else 2 end) stored;

create index contents_queue_idx on contents (queue_level, size_class, coalesce(user_id, 0), id)
  where convert_after is not null;
create index contents_urgent_idx on contents (id) where is_urgent;
-- When a user's file was last claimed: users take turns.
create index contents_claimed_idx on contents (coalesce(user_id, 0), claimed_at desc)
  where claimed_at is not null;

update contents set convert_after = now()
where (state = 'waiting' and reason = '') or state in ('converting', 'readable');

-- Jobs of the queues that these rows replace.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    delete from pgboss.job where name in ('convert-content', 'convert-content.failed',
      'convert-slowly', 'convert-slowly.failed');
  end if;
end $$;

-- One row for each rendition whose scanned pages a worker recognizes.
create table recognition_tasks (
  rendition_id bigint primary key references renditions on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- Null until the worker has read which pages are scanned.
  pages integer[],
  reason text not null default '' check (char_length(reason) <= 500),
  -- Failed attempts since the last recognized page.
  attempts smallint not null default 0 check (attempts >= 0),
  -- Finished steps: documents with fewer steps come first, so that a book delays no letter.
  steps integer not null default 0 check (steps >= 0),
  -- Pages recognized before this time are recognized again.
  requested_at timestamptz not null default now(),
  retry_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index recognition_tasks_queue_idx on recognition_tasks (steps, rendition_id desc)
  where state = 'waiting';
create index recognition_tasks_failed_idx on recognition_tasks (updated_at desc)
  where state = 'failed';

-- Text of recognized pages; the words with their boxes are in the storage.
create table recognized_pages (
  rendition_id bigint not null references renditions on delete cascade,
  page integer not null check (page >= 1),
  -- Empty if nothing was recognized.
  text text not null,
  confidence real not null check (confidence between 0 and 1),
  -- Empty if the engine failed on this page.
  engine text not null check (char_length(engine) <= 64),
  recognized_at timestamptz not null default now(),
  primary key (rendition_id, page)
);
-- Counts the pages of a day.
create index recognized_pages_recognized_at_idx on recognized_pages (recognized_at);

-- Files whose text or pictures could not be read for the comparison. They are tried again at night, ever more rarely.
create table near_copy_failures (
  rendition_id bigint primary key references renditions on delete cascade,
  attempts integer not null check (attempts > 0),
  reason text not null,
  failed_at timestamptz not null,
  retry_at timestamptz not null
);
create index near_copy_failures_retry_idx on near_copy_failures (retry_at);

-- Purchases of a user. The settings decide how long one is valid; the next purchase of the same document
-- has the next number, so that concurrent requests pay once.
create table purchases (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  number integer not null check (number >= 1),
  price integer not null check (price > 0),
  created_at timestamptz not null,
  unique (user_id, document_id, number)
);
create index purchases_document_id_idx on purchases (document_id);

-- Downloads, except those by the author. user_id is null for visitors.
create table downloads (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  ip text not null default '' check (char_length(ip) <= 64),
  price integer not null default 0 check (price >= 0),
  created_at timestamptz not null
);
create index downloads_user_id_idx on downloads (user_id, id desc)
  where user_id is not null;
create index downloads_document_id_idx on downloads (document_id);
-- BRIN: rows are stored in the order of their time, so a small index finds the rows of a month.
create index downloads_created_idx on downloads using brin (created_at) with (pages_per_range='32', autosummarize='on');

-- Number of downloads of a user or an address on a day (yyyymmdd) of the site.
create table download_days (
  limit_key text not null check (char_length(limit_key) <= 80),
  day integer not null,
  count integer not null check (count >= 1),
  primary key (limit_key, day)
);
create index download_days_day_idx on download_days (day);

create function downloads_update_counts() returns trigger language plpgsql as $$
begin
  perform 1 from documents where id in (select document_id from new_rows) order by id for no key update;
  update documents set download_count = download_count + counted.number
    from (select document_id, count(*) as number from new_rows group by document_id) counted
    where documents.id = counted.document_id;
  return null;
end $$;

create trigger downloads_update_counts
  after insert on downloads
  referencing new table as new_rows
  for each statement
  execute function downloads_update_counts();

-- Who has looked at a document lately, so that a look counts once: a user, or a keyed hash of the
-- address and the program of a visitor.
create table document_views (
  document_id bigint not null references documents on delete cascade,
  viewer text not null check (char_length(viewer) <= 40),
  counted_at timestamptz not null,
  primary key (document_id, viewer)
);
create index document_views_counted_at_idx on document_views (counted_at);

-- Where somebody stopped reading.
create table reading_positions (
  user_id bigint not null references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  page integer not null check (page >= 1),
  -- How far down the page, in ten thousandths of its height.
  "offset" smallint not null check ("offset" between 0 and 10000),
  -- Percent of the whole document.
  progress smallint not null check (progress between 0 and 100),
  -- By the clock of the device, but never later than ours: the later one wins.
  read_at timestamptz not null,
  primary key (user_id, document_id)
);
create index reading_positions_recent_idx on reading_positions (user_id, read_at desc);
create index reading_positions_document_id_idx on reading_positions (document_id);

-- The last reading position of a user in a document.
create table reading_positions (
  user_id bigint not null references users on delete cascade,
  document_id bigint not null references documents on delete cascade,
  page integer not null check (page >= 1),
  "offset" smallint not null check (("offset" >= 0) and ("offset" <= 10000)),
  progress smallint not null check (progress between 0 and 100),
  read_at timestamptz not null,
  primary key (user_id, document_id)
);
create index reading_positions_recent_idx on reading_positions (user_id, read_at desc);
create index reading_positions_document_id_idx on reading_positions (document_id);

-- Documents that were merged into another one: their address leads there. Rows stay when the document is erased.
create table document_successors (
  document_id bigint primary key,
  uuid text not null unique,
  successor_id bigint not null references documents on delete cascade,
  check (document_id <> successor_id)
);
create index document_successors_successor_idx on document_successors (successor_id);

-- Hashes of document files that lost a row which stood for them. A while later the file and all that
-- was made of it are erased, unless something uses them again.
create table removed_files (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  removed_at timestamptz not null
);
create index removed_files_removed_at_idx on removed_files (removed_at);
create index attachments_unused_document_idx on attachments (created_at)
  where type = 2 and type_id = 0 and enable;

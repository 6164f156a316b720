-- Hashes of the keywords of a document. Documents that share many keywords are related.
create table related_terms (
  document_id bigint primary key references documents on delete cascade,
  terms integer[] not null
);
-- Without fastupdate: each query would read the pending list first.
create index related_terms_terms_idx on related_terms using gin (terms) with (fastupdate=off);

-- Approximate number of documents with a term, so that only the rarest terms are compared. Erased
-- documents stay counted.
create table related_term_counts (
  term integer primary key,
  count integer not null check (count >= 0)
);

-- Documents whose terms a job has to extract.
create table related_terms_queue (
  document_id bigint primary key references documents on delete cascade,
  retry_at timestamptz
);

create function documents_queue_related_terms() returns trigger language plpgsql as $$
begin
  insert into related_terms_queue values (new.id) on conflict do nothing;
  return null;
end $$;

create trigger documents_queue_related_terms_insert
  after insert on documents
  for each row
  when (new.status = 2)
  execute function documents_queue_related_terms();

create trigger documents_queue_related_terms_update
  after update of status, title, rendition_id on documents
  for each row
  when (new.status = 2 and (old.status <> 2 or old.title <> new.title or old.rendition_id is distinct from new.rendition_id))
  execute function documents_queue_related_terms();

-- A document is readable before its conversion has finished; its full text is complete only then.
create function renditions_queue_related_terms() returns trigger language plpgsql as $$
begin
  insert into related_terms_queue select id from documents where rendition_id = new.id
    order by id on conflict do nothing;
  return null;
end $$;

create trigger renditions_queue_related_terms
  after update of state on renditions
  for each row
  when (new.state = 'ready' and old.state <> 'ready')
  execute function renditions_queue_related_terms();

-- Hashes of the keywords of a document. Documents that share many keywords are related.
create table document_terms (
  document_id bigint primary key references documents on delete cascade,
  terms integer[] not null
);
-- Without fastupdate: each query would read the pending list first.
create index document_terms_terms_idx on document_terms using gin (terms) with (fastupdate=off);

-- In about how many documents a word is, so that the rarest ones are looked up: what nearly all
-- share says nothing, and would be compared with all of them. Erased documents stay counted.
create table document_term_counts (
  term integer primary key,
  count integer not null check (count >= 0)
);

-- Documents whose words are still to be found; a job takes them from here.
create table document_term_wishes (
  document_id bigint primary key references documents on delete cascade,
  retry_at timestamptz
);

create function document_terms_wished() returns trigger language plpgsql as $$
begin
  insert into document_term_wishes values (new.id) on conflict do nothing;
  return null;
end $$;

create trigger documents_terms_wished_insert
  after insert on documents
  for each row
  when (new.status = 2)
  execute function document_terms_wished();

create trigger documents_terms_wished_update
  after update of status, title, content_id on documents
  for each row
  when (new.status = 2 and (old.status <> 2 or old.title <> new.title or old.content_id is distinct from new.content_id))
  execute function document_terms_wished();

-- A document is readable before all of it is converted; only then is its whole text there.
create function contents_terms_wished() returns trigger language plpgsql as $$
begin
  insert into document_term_wishes select id from documents where content_id = new.id
    order by id on conflict do nothing;
  return null;
end $$;

create trigger contents_terms_wished
  after update of state on contents
  for each row
  when (new.state = 'ready' and old.state <> 'ready')
  execute function contents_terms_wished();

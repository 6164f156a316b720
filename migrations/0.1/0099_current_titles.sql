-- What somebody did with a document, and was told of it, names it as it is called now.
create index notifications_document_idx on notifications (((payload -> 'document' ->> 'id')::bigint))
  where payload ? 'document';

create function documents_retitle() returns trigger language plpgsql as $$
begin
  update activities set payload = jsonb_set(payload, '{document,title}', to_jsonb(new.title))
    where document_id = new.id;
  update notifications set payload = jsonb_set(payload, '{document,title}', to_jsonb(new.title))
    where payload ? 'document' and (payload -> 'document' ->> 'id')::bigint = new.id;
  return null;
end $$;
create trigger documents_retitle after update of title on documents
  for each row when (old.title is distinct from new.title) execute function documents_retitle();

update activities set payload = jsonb_set(payload, '{document,title}', to_jsonb(documents.title))
  from documents where documents.id = activities.document_id
    and activities.payload -> 'document' ->> 'title' is distinct from documents.title;
update notifications set payload = jsonb_set(payload, '{document,title}', to_jsonb(documents.title))
  from documents where payload ? 'document' and documents.id = (payload -> 'document' ->> 'id')::bigint
    and payload -> 'document' ->> 'title' is distinct from documents.title;

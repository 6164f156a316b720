-- What somebody did with a document others may not see is not for them either.
alter table activities add column document_id bigint
  generated always as ((payload -> 'document' ->> 'id')::bigint) stored;
alter table activities add column is_hidden boolean not null default false;
create index activities_document_id_idx on activities (document_id) where document_id is not null;
drop index activities_public_idx;
create index activities_public_idx on activities (user_id, id desc)
  where type in (1, 2, 3, 6, 11, 12, 13) and not is_hidden;

create function activities_hide() returns trigger language plpgsql as $$
begin
  new.is_hidden := exists (
    select 1 from documents d
    where d.id = (new.payload -> 'document' ->> 'id')::bigint
      and not document_is_public(d.deleted_at, d.visibility, d.status));
  return new;
end $$;
create trigger activities_hide before insert on activities
  for each row when (new.payload ? 'document') execute function activities_hide();

create function documents_hide_activities() returns trigger language plpgsql as $$
begin
  update activities set is_hidden = not document_is_public(new.deleted_at, new.visibility, new.status) where document_id = new.id;
  return null;
end $$;
create trigger documents_hide_activities after update of status, visibility, deleted_at on documents
  for each row when (document_is_public(old.deleted_at, old.visibility, old.status) <> document_is_public(new.deleted_at, new.visibility, new.status))
  execute function documents_hide_activities();

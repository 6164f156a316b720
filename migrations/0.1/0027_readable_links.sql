-- Whether visitors can read the document behind a link: public and converted. The newest of a
-- category are then found, and counted, without looking at those that are not.
alter table document_categories add column is_readable boolean not null default false;
create index document_categories_readable_idx on document_categories (category_id, document_id desc)
  where is_readable;

create function document_is_readable(deleted_at timestamptz, visibility smallint, status smallint)
  returns boolean language sql immutable as $$
  select deleted_at is null and visibility = 0 and status = 2
$$;

create function document_categories_readable() returns trigger language plpgsql as $$
begin
  select document_is_readable(deleted_at, visibility, status) into strict new.is_readable
    from documents where id = new.document_id for no key update;
  return new;
end $$;
create trigger document_categories_readable before insert on document_categories
  for each row execute function document_categories_readable();

create function documents_readable() returns trigger language plpgsql as $$
begin
  update document_categories
    set is_readable = document_is_readable(new.deleted_at, new.visibility, new.status)
    where document_id = new.id;
  return null;
end $$;
create trigger documents_readable after update of status, visibility, deleted_at on documents
  for each row when (
    document_is_readable(old.deleted_at, old.visibility, old.status)
      <> document_is_readable(new.deleted_at, new.visibility, new.status))
  execute function documents_readable();

update document_categories set is_readable = true from documents
  where documents.id = document_categories.document_id
    and document_is_readable(documents.deleted_at, documents.visibility, documents.status);

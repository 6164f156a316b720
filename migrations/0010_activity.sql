-- Activities of users as data; the sentence is composed when it is read.
create table activities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  type smallint not null check (type between 1 and 14),
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  created_at timestamptz not null default now(),
  document_id bigint generated always as ((((payload -> 'document') ->> 'id'))::bigint) stored,
  is_hidden boolean not null default false
);
create index activities_user_id_idx on activities (user_id, id desc);
create index activities_document_id_idx on activities (document_id)
  where document_id is not null;
-- Types that other users may see: comment, favorite, upload, register, check-in, share, follow.
create index activities_public_idx on activities (user_id, id desc)
  where type in (1, 2, 3, 6, 11, 12, 13) and not is_hidden;

create function activities_set_hidden() returns trigger language plpgsql as $$
begin
  new.is_hidden := exists (
    select 1 from documents d
    where d.id = (new.payload -> 'document' ->> 'id')::bigint
      and not document_is_public(d.deleted_at, d.visibility, d.status));
  return new;
end $$;

create trigger activities_set_hidden
  before insert on activities
  for each row
  when (new.payload ? 'document')
  execute function activities_set_hidden();

create function documents_hide_activities() returns trigger language plpgsql as $$
begin
  update activities set is_hidden = not document_is_public(new.deleted_at, new.visibility, new.status) where document_id = new.id;
  return null;
end $$;

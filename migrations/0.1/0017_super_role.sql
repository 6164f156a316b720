-- The seeded role that keeps every permission, whatever it comes to be called.
alter table roles add column is_super boolean not null default false;
update roles set is_super = true where title = '超级管理员';
create unique index roles_super_key on roles (is_super) where is_super;

-- The avatar (type 1) of a deleted account is used no longer, whoever deletes it and however.
create function release_avatars() returns trigger language plpgsql as $$
begin
  update attachments set type_id = 0 where type = 1 and type_id = old.id;
  return null;
end $$;
create trigger users_release_avatars after delete on users
  for each row execute function release_avatars();

-- Users and the users they follow.
create table follows (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  target_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  constraint follows_pair_key unique (user_id, target_id),
  constraint follows_others_check check (user_id <> target_id)
);
create index follows_user_id_idx on follows (user_id, id desc);
create index follows_target_id_idx on follows (target_id, id desc);

create function follows_update_counts() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  -- Locks both users in the order of their ids before counting.
  perform 1 from users where id in (select user_id from changed union select target_id from changed)
    order by id for no key update;
  perform count_by_id('users', 'follow_count', (select jsonb_object_agg(user_id, number * sign) from
    (select user_id, count(*) as number from changed group by user_id) each));
  perform count_by_id('users', 'fans_count', (select jsonb_object_agg(target_id, number * sign) from
    (select target_id, count(*) as number from changed group by target_id) each));
  return null;
end $$;

create trigger follows_update_counts_insert
  after insert on follows
  referencing new table as changed
  for each statement
  execute function follows_update_counts();

create trigger follows_update_counts_delete
  after delete on follows
  referencing old table as changed
  for each statement
  execute function follows_update_counts();

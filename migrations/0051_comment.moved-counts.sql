-- Comments may move to another document, which changes the counts of both.
create or replace function comments_update_counts() returns trigger language plpgsql as $$
declare
  steps jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, 1 as step from new_rows
      where comment_is_counted(status, deleted_at)) each;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(each) into steps from (select document_id, user_id, root_id, -1 as step from old_rows
      where comment_is_counted(status, deleted_at)) each;
  else
    select jsonb_agg(each) into steps from (
      select old_rows.document_id, old_rows.user_id, old_rows.root_id, -1 as step
      from old_rows join new_rows using (id)
      where comment_is_counted(old_rows.status, old_rows.deleted_at)
        and not (comment_is_counted(new_rows.status, new_rows.deleted_at) and new_rows.document_id = old_rows.document_id)
      union all
      select new_rows.document_id, new_rows.user_id, new_rows.root_id, 1
      from new_rows join old_rows using (id)
      where comment_is_counted(new_rows.status, new_rows.deleted_at)
        and not (comment_is_counted(old_rows.status, old_rows.deleted_at) and new_rows.document_id = old_rows.document_id)) each;
  end if;
  if steps is null then return null; end if;
  -- Locks in the common order: documents, users, then their dependent rows.
  perform count_by_id('documents', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'document_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) group by 1) each));
  perform count_by_id('users', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'user_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) group by 1 having sum((value ->> 'step')::int) <> 0) each));
  perform count_by_id('comments', 'comment_count', (select jsonb_object_agg(id, number) from (
    select (value ->> 'root_id')::bigint as id, sum((value ->> 'step')::int) as number
    from jsonb_array_elements(steps) where value ->> 'root_id' is not null
    group by 1 having sum((value ->> 'step')::int) <> 0) each));
  return null;
end $$;

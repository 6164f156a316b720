create table document_scores (
  document_id bigint not null references documents on delete cascade,
  user_id bigint not null references users on delete cascade,
  score smallint not null check (score in (100, 200, 300, 400, 500)),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (document_id, user_id)
);
create index document_scores_user_id_idx on document_scores (user_id);

create function document_scores_update_counts() returns trigger language plpgsql as $$
declare
  changes jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(each) into changes from
      (select document_id as id, sum(score) as total, count(*) as number from new_rows group by document_id) each;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(each) into changes from
      (select document_id as id, -sum(score) as total, -count(*) as number from old_rows group by document_id) each;
  else
    select jsonb_agg(each) into changes from
      (select document_id as id, sum(score) as total, 0 as number from
        (select document_id, -score as score from old_rows union all select document_id, score from new_rows) steps
        group by document_id having sum(score) <> 0) each;
  end if;
  perform 1 from documents where id in (select (value ->> 'id')::bigint from jsonb_array_elements(changes))
    order by id for no key update;
  update documents set
    score_sum = score_sum + total,
    score_count = score_count + number,
    score = case when score_count + number = 0 then 0
      else round((score_sum + total)::numeric / (score_count + number)) end
  from jsonb_to_recordset(changes) as change (id bigint, total bigint, number integer)
  where documents.id = change.id;
  return null;
end $$;

create trigger document_scores_update_counts_insert
  after insert on document_scores
  referencing new table as new_rows
  for each statement
  execute function document_scores_update_counts();

create trigger document_scores_update_counts_update
  after update on document_scores
  referencing old table as old_rows new table as new_rows
  for each statement
  execute function document_scores_update_counts();

create trigger document_scores_update_counts_delete
  after delete on document_scores
  referencing old table as old_rows
  for each statement
  execute function document_scores_update_counts();

-- The award of an upload that cannot be read is retracted, and returned when it becomes readable.
alter table documents
  add column retracted_award bigint not null default 0 check (retracted_award >= 0),
  add column retractions integer not null default 0 check (retractions >= 0);
create index documents_award_to_retract_idx on documents (id) where status = 3 and award > 0;
create index documents_award_to_return_idx on documents (id)
  where status = 2 and retracted_award > 0;

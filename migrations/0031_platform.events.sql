-- The outbox: changes of documents, renditions and categories that consumers have to follow. The transaction of a change writes the
-- row, and the row is deleted when every consumer has handled it.
create table events (
  id bigint generated always as identity primary key,
  subject text not null check (subject in ('document', 'rendition', 'category')),
  subject_id bigint not null,
  type text not null,
  -- Names of the consumers that have handled the event while another one failed. A renamed consumer handles it again.
  handled_by text[] not null default '{}',
  attempts integer not null default 0,
  -- When a failed event is delivered again. Null: now.
  retry_at timestamptz,
  created_at timestamptz not null default now()
);
create index events_subject_idx on events (subject, subject_id, id);
-- New events, and failed ones in the order of their next delivery.
create index events_new_idx on events (subject, id) where retry_at is null;
create index events_retry_idx on events (subject, retry_at) where retry_at is not null;

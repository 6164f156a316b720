-- A consumer of events (src/app/server/event-consumers.ts) fills the queue now.
drop function documents_queue_related_terms();
drop trigger renditions_queue_related_terms on renditions;
drop function renditions_queue_related_terms();

-- Several rows for one document: a change never waits for the extraction after an earlier one.
alter table related_terms_queue drop constraint related_terms_queue_pkey;
alter table related_terms_queue add column id bigint generated always as identity primary key;
create index related_terms_queue_document_idx on related_terms_queue (document_id);

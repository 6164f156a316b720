-- A consumer of events (src/modules/search/index/follow-document-changes.ts) fills the queue and updates the metadata.
drop function documents_update_search();
drop function documents_remove_from_search();
drop trigger document_categories_update_search_insert on document_categories;
drop trigger document_categories_update_search_delete on document_categories;
drop function document_categories_update_search();
drop trigger renditions_update_search on renditions;
drop function renditions_update_search();
drop trigger categories_update_search on categories;
drop function categories_update_search();
drop function refresh_search_metadata(bigint[]);
drop function announce_search_segments(bigint[]);
drop function enqueue_search_index(bigint[], boolean);

-- The entry of an erased document stays until its event is handled, which tells the nodes to read its segment again.
alter table search_documents drop constraint search_documents_document_id_fkey;

-- Several rows for one document: a change never waits for the indexing of an earlier one.
alter table search_index_queue drop constraint search_index_queue_pkey;
alter table search_index_queue add column id bigint generated always as identity primary key;
create index search_index_queue_document_idx on search_index_queue (document_id);

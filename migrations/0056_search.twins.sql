-- Group of documents with nearly the same file; 0 for a document without twins.
alter table search_documents add column twin_group bigint not null default 0;

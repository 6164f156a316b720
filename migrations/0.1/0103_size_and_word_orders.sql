-- Lists of the back-office that are put in order by these.
create index documents_size_idx on documents (size, id) where deleted_at is null;
create index search_records_keywords_idx on search_records (keywords, id);

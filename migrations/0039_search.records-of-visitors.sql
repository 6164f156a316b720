-- A user's search looks for the record of the same search that the server rendered for a visitor (record-search.ts).
create index search_records_visitor_idx on search_records (ip, keywords, created_at desc)
  where user_id is null;

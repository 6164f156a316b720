-- Who shared lately: the index alone answers it, and holds no more than what is on the shelves.
create index documents_published_idx on documents (published_at desc, user_id)
  where deleted_at is null and visibility = 0 and status in (0, 1, 2, 3, 5);

-- Lists show ten rows of many: each order they offer is walked, not sorted.
create index documents_created_idx on documents (created_at desc, id desc) where deleted_at is null;
create index documents_views_idx on documents (view_count desc, id desc) where deleted_at is null;
create index documents_downloads_idx on documents (download_count desc, id desc)
  where deleted_at is null;
create index documents_favorites_idx on documents (favorite_count desc, id desc)
  where deleted_at is null;
create index documents_recommended_idx on documents (recommend_at desc nulls last, id desc)
  where deleted_at is null;
create index documents_type_idx on documents (ext, id desc) where deleted_at is null;
create index contents_pages_idx on contents (pages desc nulls last);

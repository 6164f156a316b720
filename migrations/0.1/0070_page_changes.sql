-- Pages drawn for visitors are kept in memory; what they show is announced when it changes, whoever
-- changes it. Views and downloads are left out: they change with every look, and may lag for a moment.
create function row_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0] || ':' || new.id);
  return null;
end $$;
-- The time of a change tells of pages that were converted since.
create trigger documents_announced
  after update of user_id, content_id, title, keywords, description, ext, size, price, preview,
    language, visibility, status, recommend_at, deleted_at on documents
  for each row when (
    (old.user_id, old.content_id, old.title, old.keywords, old.description, old.ext, old.size, old.price,
      old.preview, old.language, old.visibility, old.status, old.recommend_at, old.deleted_at, old.updated_at)
    is distinct from
    (new.user_id, new.content_id, new.title, new.keywords, new.description, new.ext, new.size, new.price,
      new.preview, new.language, new.visibility, new.status, new.recommend_at, new.deleted_at, new.updated_at))
  execute function row_announced('document');
-- What readers did with it is on its own page; in lists it may lag.
create trigger documents_opinions_announced
  after update of favorite_count, comment_count, score, score_count on documents
  for each row when (
    (old.favorite_count, old.comment_count, old.score, old.score_count)
    is distinct from (new.favorite_count, new.comment_count, new.score, new.score_count))
  execute function row_announced('document-counts');

create function change_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', tg_argv[0]);
  return null;
end $$;
create trigger articles_announced after insert or delete on articles
  for each statement execute function change_announced('articles');
create trigger articles_changed
  after update of identifier, title, author, keywords, description, content on articles
  for each statement execute function change_announced('articles');
-- A name or a picture may be on any page. Whatever is known of a user but counts and visits; a column
-- added later is heeded by itself.
create trigger users_announced after update on users
  for each row when (
    to_jsonb(old) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[]
    is distinct from
    to_jsonb(new) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[])
  execute function change_announced('users');
create trigger users_erased after delete on users
  for each statement execute function change_announced('users');
-- The counts are on the user's own pages, with the lists of what is counted.
create trigger users_counts_announced
  after update of doc_count, follow_count, fans_count, favorite_count, comment_count on users
  for each row when (
    (old.doc_count, old.follow_count, old.fans_count, old.favorite_count, old.comment_count)
    is distinct from
    (new.doc_count, new.follow_count, new.fans_count, new.favorite_count, new.comment_count))
  execute function row_announced('user');

-- Favorites that others may no longer see, or may see now, though there are as many as before.
create function owner_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', 'user:' || new.user_id);
  return null;
end $$;
create trigger favorite_folders_announced after update of is_public on favorite_folders
  for each row when (old.is_public <> new.is_public) execute function owner_announced();
create trigger favorites_announced after update of folder_id on favorites
  for each row when (old.folder_id is distinct from new.folder_id) execute function owner_announced();

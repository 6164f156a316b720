-- Pages drawn for visitors are kept in memory; what they show is announced when it changes, whoever
-- changes it. Counters are left out: they change with every look, and may lag for a moment.
create function documents_announced() returns trigger language plpgsql as $$
begin
  perform pg_notify('douku_changed', 'document:' || new.id);
  return null;
end $$;
create trigger documents_announced
  after update of user_id, content_id, title, keywords, description, ext, size, price, preview,
    language, visibility, status, recommend_at, deleted_at on documents
  for each row when (
    (old.user_id, old.content_id, old.title, old.keywords, old.description, old.ext, old.size,
      old.price, old.preview, old.language, old.visibility, old.status, old.recommend_at, old.deleted_at)
    is distinct from
    (new.user_id, new.content_id, new.title, new.keywords, new.description, new.ext, new.size,
      new.price, new.preview, new.language, new.visibility, new.status, new.recommend_at, new.deleted_at))
  execute function documents_announced();

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
-- Whatever is known of a user but counts and visits; a column added later is heeded by itself.
create trigger users_announced after update on users
  for each row when (
    to_jsonb(old) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[]
    is distinct from
    to_jsonb(new) - '{doc_count,follow_count,fans_count,favorite_count,comment_count,credit_count,last_login_ip,login_at,updated_at}'::text[])
  execute function change_announced('users');

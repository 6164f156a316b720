create table articles (
  id bigint generated always as identity primary key,
  identifier text not null check ((identifier ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$') and (identifier !~ '^[0-9]+$')),
  title text not null check (char_length(title) between 1 and 255),
  author text not null default '' check (char_length(author) <= 64),
  keywords text not null default '' check (char_length(keywords) <= 255),
  description text not null default '' check (char_length(description) <= 1024),
  content text not null default '',
  view_count bigint not null default 0 check (view_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Case-insensitive, because readers would confuse addresses that differ only in case.
create unique index articles_identifier_key on articles (lower(identifier));

create trigger articles_announce_insert_delete
  after insert or delete on articles
  for each statement
  execute function announce_change('articles');

create trigger articles_announce_update
  after update of identifier, title, author, keywords, description, content on articles
  for each statement
  execute function announce_change('articles');

create table articles (
  id bigint generated always as identity primary key,
  identifier text not null check (identifier ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' and identifier !~ '^[0-9]+$'),
  title text not null check (char_length(title) between 1 and 255),
  author text not null default '' check (char_length(author) <= 64),
  keywords text not null default '' check (char_length(keywords) <= 255),
  description text not null default '' check (char_length(description) <= 1024),
  -- Sanitized before it is stored.
  content text not null default '',
  view_count bigint not null default 0 check (view_count >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Addresses that differ only in case would be mistaken for each other.
create unique index articles_identifier_key on articles (lower(identifier));

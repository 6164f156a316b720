create table categories (
  id bigint generated always as identity primary key,
  -- Null at the top; the API writes it as 0. Checked at the end of a statement, so that one can
  -- delete a whole branch.
  parent_id bigint references categories check (parent_id <> id),
  title text not null check (char_length(title) between 1 and 64 and title = btrim(title)),
  cover text not null default '' check (char_length(cover) <= 255),
  icon text not null default '' check (char_length(icon) <= 255),
  description text not null default '' check (char_length(description) <= 2000),
  doc_count integer not null default 0 check (doc_count >= 0),
  sort integer not null default 0 check (sort >= 0),
  enable boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index categories_title_key on categories (coalesce(parent_id, 0), title);
create index categories_parent_id_idx on categories (parent_id);

-- Titles and words offered while somebody types, under keys of their beginnings: as written, as
-- spoken, and by first letters.
create table search_suggestions (
  id bigint generated always as identity primary key,
  -- Of a title; null for a word.
  document_id bigint unique references documents on delete cascade,
  text text not null,
  folded text not null,
  keys integer[] not null,
  scope smallint not null,
  weight real not null
);
create unique index search_suggestions_word_idx on search_suggestions (folded) where document_id is null;
create index search_suggestions_keys_idx on search_suggestions using gin (keys) with (fastupdate = off);
alter table search_suggestions alter column keys set statistics 0;

-- Looked up by the index, whatever the planner thinks of numbers it knows nothing about.
create function search_offered(wanted integer[], most_scope smallint, most integer)
  returns setof search_suggestions language sql stable rows 600 set enable_seqscan = off as $$
  select * from search_suggestions where keys && wanted and scope <= most_scope limit most
$$;

create table search_records (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  ip text not null,
  user_agent text not null check (char_length(user_agent) <= 512),
  keywords text not null check (char_length(keywords) <= 200),
  total integer not null,
  page integer not null,
  -- Seconds.
  spend_time real not null,
  created_at timestamptz not null default now()
);
create index search_records_created_idx on search_records (created_at desc);
create index search_records_user_idx on search_records (user_id) where user_id is not null;

-- What somebody has searched for; theirs to clear.
create table search_history (
  user_id bigint not null references users on delete cascade,
  keywords text not null check (char_length(keywords) <= 200),
  searched_at timestamptz not null,
  primary key (user_id, keywords)
);
create index search_history_recent_idx on search_history (user_id, searched_at desc);

create table synonyms (
  id bigint generated always as identity primary key,
  words text[] not null check (cardinality(words) between 2 and 20),
  enable boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

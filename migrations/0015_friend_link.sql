create table friend_links (
  id bigint generated always as identity primary key,
  title text not null check (char_length(title) between 1 and 64),
  link text not null check ((char_length(link) <= 255) and (link ~* '^https?://')),
  description text not null default '' check (char_length(description) <= 1000),
  sort integer not null default 0 check (sort >= 0),
  enable boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index friend_links_link_key on friend_links (link);
create index friend_links_order_idx on friend_links (enable desc, sort desc, id);

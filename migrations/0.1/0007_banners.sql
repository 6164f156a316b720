create table banners (
  id bigint generated always as identity primary key,
  title text not null default '' check (char_length(title) <= 255),
  description text not null default '' check (char_length(description) <= 255),
  path text not null check (char_length(path) between 1 and 255),
  url text not null default '' check (char_length(url) <= 255),
  sort integer not null default 0 check (sort >= 0),
  enable boolean not null default true,
  -- 0 web site, 1 mini program, 2 app.
  type smallint not null default 0 check (type between 0 and 2),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index banners_order_idx on banners (enable desc, sort desc, id);

-- Settings that differ from the default in the settings catalogue.
create table settings (
  id bigint generated always as identity primary key,
  category text not null check (char_length(category) between 1 and 32),
  name text not null check (char_length(name) between 1 and 64),
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (category, name)
);

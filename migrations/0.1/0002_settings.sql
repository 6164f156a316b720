-- Only what was set: everything else has the default of the catalogue.
create table settings (
  id bigint generated always as identity primary key,
  category text not null check (char_length(category) between 1 and 32),
  name text not null check (char_length(name) between 1 and 64),
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (category, name)
);

-- What the first start has filled in, written together with it: it is never filled in again,
-- also when an administrator has deleted all of it.
create table seeds (
  name text primary key,
  created_at timestamptz not null default now()
);

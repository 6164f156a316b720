-- Files of the site map, each made by itself: what a file covers is fixed by the numbers of its rows.
-- Addresses are kept without the site, which may move.
create table sitemap_files (
  kind text not null check (kind in ('document', 'user')),
  part integer not null check (part >= 1),
  urls integer not null check (urls between 0 and 10000),
  body text not null,
  changed_at timestamptz,
  primary key (kind, part)
);

-- Up to when changes were taken in, and when all files were last made.
create table sitemap_progress (
  id boolean primary key default true check (id),
  covered_until timestamptz not null,
  full_build_at timestamptz not null
);

-- Sitemap files. Each covers a fixed range of row ids, so that one file can be regenerated alone. Paths are stored
-- without the host name, which may change.
create table sitemap_files (
  kind text not null check (kind in ('document', 'user')),
  part integer not null check (part >= 1),
  urls integer not null check (urls between 0 and 10000),
  body text not null,
  changed_at timestamptz,
  primary key (kind, part)
);

-- Time up to which changes are included, and time of the last full build.
create table sitemap_progress (
  id boolean primary key default true check (id),
  covered_until timestamptz not null,
  full_build_at timestamptz not null
);

create table permissions (
  id bigint generated always as identity primary key,
  method text not null,
  path text not null,
  title text not null,
  description text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (method, path)
);

create table roles (
  id bigint generated always as identity primary key,
  title text not null unique check (char_length(title) between 1 and 64),
  color text not null default '',
  description text not null default '',
  sort integer not null default 0,
  is_default boolean not null default false,
  is_display boolean not null default false,
  user_count integer not null default 0,
  enable_upload boolean not null default false,
  enable_document_review boolean not null default false,
  enable_comment boolean not null default true,
  enable_comment_approval boolean not null default false,
  enable_download boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_super boolean not null default false,
  max_preview integer not null default 0 check (max_preview >= 0)
);
-- At most one default role; the code that changes roles ensures that there is one.
create unique index roles_default_key on roles (is_default)
  where is_default;
create unique index roles_super_key on roles (is_super)
  where is_super;

create table role_permissions (
  role_id bigint not null references roles on delete cascade,
  permission_id bigint not null references permissions on delete cascade,
  primary key (role_id, permission_id)
);
create index role_permissions_permission_id_idx on role_permissions (permission_id);

create table user_roles (
  user_id bigint not null references users on delete cascade,
  role_id bigint not null references roles ON DELETE RESTRICT,
  primary key (user_id, role_id)
);
create index user_roles_role_id_idx on user_roles (role_id);

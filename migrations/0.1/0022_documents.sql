create table documents (
  id bigint generated always as identity primary key,
  -- In addresses: tells neither how many there are nor which comes next.
  uuid text not null unique default substr(md5(gen_random_uuid()::text), 1, 16)
    check (uuid ~ '^[0-9a-f]{16}$'),
  user_id bigint not null references users,
  content_id bigint not null references contents,
  title text not null check (char_length(title) between 1 and 255 and title = btrim(title)),
  keywords text not null default '' check (char_length(keywords) <= 255),
  description text not null default '' check (char_length(description) <= 1024),
  -- With its dot, in lower case; size is that of the original file.
  ext text not null check (ext ~ '^\.[a-z0-9]{1,8}$'),
  size bigint not null check (size > 0),
  price integer not null default 0 check (price between 0 and 1000000),
  -- Pages everybody may read; 0 leaves it to the settings.
  preview integer not null default 0 check (preview >= 0),
  language text not null default '' check (char_length(language) <= 16),
  -- 0 everybody, 1 logged-in users, 2 only the owner.
  visibility smallint not null default 0 check (visibility between 0 and 2),
  status smallint not null default 0 check (status between 0 and 7),
  -- Why a reviewer refused it or an administrator disabled it.
  reject_reason text not null default '' check (char_length(reject_reason) <= 255),
  -- Beans its upload brought: the most that deleting it can cost.
  award bigint not null default 0 check (award >= 0),
  download_count integer not null default 0 check (download_count >= 0),
  view_count integer not null default 0 check (view_count >= 0),
  favorite_count integer not null default 0 check (favorite_count >= 0),
  comment_count integer not null default 0 check (comment_count >= 0),
  -- Hundredths of a star, 0 until the first rating.
  score integer not null default 0 check (score between 0 and 500),
  score_count integer not null default 0 check (score_count >= 0),
  recommend_at timestamptz,
  deleted_at timestamptz,
  deleted_user_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index documents_content_id_idx on documents (content_id);
create index documents_user_id_idx on documents (user_id, id desc);
create index documents_latest_idx on documents (id desc) where deleted_at is null;
create index documents_status_idx on documents (status, id desc) where deleted_at is null;
create index documents_recommend_idx on documents (recommend_at desc)
  where recommend_at is not null and deleted_at is null;
create index documents_deleted_idx on documents (deleted_at desc) where deleted_at is not null;

create table document_categories (
  document_id bigint not null references documents on delete cascade,
  category_id bigint not null references categories,
  primary key (document_id, category_id)
);
create index document_categories_category_idx on document_categories (category_id, document_id desc);

-- A document that is neither disabled nor under review shows the state of its content.
create function documents_follow_content() returns trigger language plpgsql as $$
begin
  update documents set
    status = case
      when new.state in ('readable', 'ready') then 2
      when new.state = 'failed' then 3
      when new.state = 'converting' then 1
      when status = 5 then 5
      else 0
    end,
    description = case when description = '' then new.summary else description end,
    language = case when language = '' then new.language else language end,
    updated_at = now()
  where content_id = new.id and status in (0, 1, 2, 3, 5)
    and (old.state is distinct from new.state or old.summary is distinct from new.summary);
  return null;
end $$;
create trigger documents_follow_content after update of state, summary on contents
  for each row execute function documents_follow_content();

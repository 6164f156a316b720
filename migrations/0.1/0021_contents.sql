-- One row for each distinct file and the way it is read: equal uploads share it, and its conversion.
create table contents (
  id bigint generated always as identity primary key,
  -- SHA-256 of the original bytes.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  -- What the bytes are, whatever the name said; the same text may be read as txt and as csv.
  format text not null check (format in (
    'pdf', 'doc', 'docx', 'rtf', 'wps', 'odt', 'ppt', 'pptx', 'odp', 'xls', 'xlsx', 'ods',
    'csv', 'tsv', 'txt', 'epub', 'mobi', 'chm', 'umd')),
  size bigint not null check (size > 0),
  state text not null default 'waiting'
    check (state in ('waiting', 'converting', 'readable', 'ready', 'failed')),
  -- Why it failed, or what it waits for: a sentence for people.
  reason text not null default '' check (char_length(reason) <= 500),
  attempts smallint not null default 0 check (attempts >= 0),
  -- For whom it is converted: the queue is shared by users.
  user_id bigint references users on delete set null,
  -- The pipeline that made what is stored; a newer one can convert again.
  version smallint not null default 0,
  view text not null default '' check (view in ('', 'pages', 'flow', 'sheet')),
  pages integer not null default 0 check (pages >= 0),
  -- Pages 1 to this one are stored.
  ready_pages integer not null default 0 check (ready_pages between 0 and pages),
  width integer not null default 0 check (width >= 0),
  height integer not null default 0 check (height >= 0),
  language text not null default '' check (char_length(language) <= 16),
  -- The beginning of the text.
  summary text not null default '' check (char_length(summary) <= 255),
  text_size bigint not null default 0 check (text_size >= 0),
  -- Who is converting it, and until when that is believed.
  lease_token uuid,
  lease_until timestamptz,
  ready_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (hash, format)
);
create index contents_unfinished_idx on contents (state, id) where state <> 'ready';
create index contents_user_id_idx on contents (user_id) where user_id is not null;

-- Pages somebody is waiting for; they are made before the others.
create table page_wishes (
  content_id bigint not null references contents on delete cascade,
  page integer not null check (page >= 1),
  created_at timestamptz not null default now(),
  primary key (content_id, page)
);

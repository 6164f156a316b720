create table reports (
  id bigint generated always as identity primary key,
  -- What was reported stays known when the document is erased.
  document_id bigint references documents on delete set null,
  document_title text not null,
  user_id bigint not null references users on delete cascade,
  reason smallint not null check (reason between 1 and 6),
  content text not null default '' check (char_length(content) <= 500),
  -- Handled, and how: 0 nothing was done, 1 the document was disabled, 2 it was deleted.
  status boolean not null default false,
  action smallint not null default 0 check (action between 0 and 2),
  -- What the reporter is told.
  remark text not null default '' check (char_length(remark) <= 255),
  handler_id bigint references users on delete set null,
  handled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now(),
  constraint reports_user_document_key unique (user_id, document_id),
  constraint reports_handled_check check (status = (handled_at is not null))
);
create index reports_document_id_idx on reports (document_id) where document_id is not null;
create index reports_status_idx on reports (status, id desc);
create index reports_handler_id_idx on reports (handler_id) where handler_id is not null;

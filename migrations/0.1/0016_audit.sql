create table audit_logs (
  id bigint generated always as identity primary key,
  -- no reference: what was done stays known after an account is gone
  user_id bigint not null,
  username text not null,
  action text not null,
  target text not null default '',
  before jsonb,
  after jsonb,
  ip text not null default '',
  created_at timestamptz not null default now()
);
create index audit_logs_user_id_idx on audit_logs (user_id, id desc);
create index audit_logs_action_idx on audit_logs (action, id desc);
create index audit_logs_created_at_idx on audit_logs (created_at);

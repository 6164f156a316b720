create table mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  status text not null check (status in ('pending', 'sent', 'failed', 'kept')),
  error text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null default now()
);

create table check_ins (
  id bigint generated always as identity not null,
  user_id bigint not null references users on delete cascade,
  sign_at integer not null check (sign_at between 19700101 and 99991231),
  award bigint not null check (award >= 0),
  ip text not null default '' check (char_length(ip) <= 64),
  created_at timestamptz not null default now(),
  primary key (user_id, sign_at)
);
create index check_ins_created_idx on check_ins using brin (created_at) with (pages_per_range='32', autosummarize='on');

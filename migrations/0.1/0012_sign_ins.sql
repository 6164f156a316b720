create table sign_ins (
  id bigint generated always as identity,
  user_id bigint not null references users on delete cascade,
  -- The day of the site's time zone as yyyymmdd. One row a user and day: this key decides who was first.
  sign_at integer not null check (sign_at between 19700101 and 99991231),
  award bigint not null check (award >= 0),
  ip text not null default '' check (char_length(ip) <= 64),
  created_at timestamptz not null default now(),
  primary key (user_id, sign_at)
);

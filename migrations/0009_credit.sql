-- Credits in double-entry bookkeeping. Entries are append-only: a correction is another event.
create table ledger_events (
  id bigint generated always as identity primary key,
  key text not null unique check (char_length(key) between 1 and 200),
  reason text not null check (reason ~ '^[a-z][a-z_]{0,31}$'),
  reference text not null default '' check (char_length(reference) <= 200),
  actor_id bigint,
  note text not null default '' check (char_length(note) <= 255),
  created_at timestamptz not null default now()
);

create table ledger_entries (
  event_id bigint not null references ledger_events,
  account text not null check (account ~ '^(user:[1-9][0-9]{0,18}|system:[a-z]{1,32})$'),
  amount bigint not null check (amount <> 0),
  "position" bigint check ("position" >= 1),
  balance bigint check (balance >= 0),
  primary key (event_id, account),
  constraint ledger_entries_statement_check check (((account ~~ 'user:%') = ("position" is not null)) and (("position" is null) = (balance is null)))
);
create unique index ledger_entries_statement_key on ledger_entries (account, "position" desc)
  where "position" is not null;

-- Number of awards for a reason that a user received on a day (yyyymmdd, time zone of the site).
create table daily_awards (
  user_id bigint not null references users on delete cascade,
  reason text not null,
  day integer not null,
  count integer not null default 0 check (count >= 0),
  primary key (user_id, reason, day)
);

-- Called by the deferred constraint triggers below when a transaction commits, when the event is complete.
create function check_event_balanced(event bigint) returns void language plpgsql as $$
declare
  total numeric;
begin
  select sum(amount) into total from ledger_entries where event_id = event;
  if total is distinct from 0 then
    raise exception 'entries of ledger event % sum to %, not 0', event, coalesce(total::text, 'nothing')
      using errcode = 'check_violation', constraint = 'ledger_events_balanced';
  end if;
end $$;

-- users.credit_count is a copy of the ledger balance; the two must change together.
create function check_credit_count(user_id text) returns void language plpgsql as $$
declare
  held bigint;
  posted bigint;
begin
  select credit_count into held from users where id = user_id::bigint;
  select balance into posted from ledger_entries
    where account = 'user:' || user_id and position is not null order by position desc limit 1;
  -- After the account is deleted, `held` is null and the check passes: only the ledger remains.
  if held <> coalesce(posted, 0) then
    raise exception 'user % has credit_count % but ledger balance %', user_id, held, coalesce(posted, 0)
      using errcode = 'check_violation', constraint = 'users_credit_count_ledger';
  end if;
end $$;

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed: the ledger is append-only', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Per row, because a restore deletes from empty tables.
create trigger ledger_events_append_only
  before delete or update on ledger_events
  for each row
  execute function refuse_ledger_change();

create trigger ledger_entries_append_only
  before delete or update on ledger_entries
  for each row
  execute function refuse_ledger_change();

create trigger ledger_events_never_truncated
  before truncate on ledger_events
  for each statement
  execute function refuse_ledger_change();

create trigger ledger_entries_never_truncated
  before truncate on ledger_entries
  for each statement
  execute function refuse_ledger_change();

create function check_ledger_event() returns trigger language plpgsql as $$
begin
  perform check_event_balanced(new.id);
  return null;
end $$;

create constraint trigger ledger_events_balanced
  after insert on ledger_events deferrable initially deferred
  for each row
  execute function check_ledger_event();

create function check_ledger_entry() returns trigger language plpgsql as $$
begin
  perform check_event_balanced(new.event_id);
  if new.account like 'user:%' then
    perform check_credit_count(substr(new.account, 6));
  end if;
  return null;
end $$;

create constraint trigger ledger_entries_balanced
  after insert on ledger_entries deferrable initially deferred
  for each row
  execute function check_ledger_entry();

create function check_user_credit() returns trigger language plpgsql as $$
begin
  perform check_credit_count(new.id::text);
  return null;
end $$;

create constraint trigger users_credit_inserted
  after insert on users deferrable initially deferred
  for each row
  when (new.credit_count <> 0)
  execute function check_user_credit();

create constraint trigger users_credit_updated
  after update of credit_count on users deferrable initially deferred
  for each row
  when (new.credit_count <> old.credit_count)
  execute function check_user_credit();

-- Removes the credits of a deleted account from circulation, also when a cascade deletes it.
create function close_credit_account() returns trigger language plpgsql as $$
declare
  own text := 'user:' || old.id;
  last bigint;
  event bigint;
begin
  select position into strict last from ledger_entries
    where account = own and position is not null order by position desc limit 1;
  insert into ledger_events (key, reason, reference)
    values ('close:' || old.id || ':' || last, 'account_closed', own) returning id into event;
  insert into ledger_entries (event_id, account, amount, position, balance) values
    (event, own, -old.credit_count, last + 1, 0),
    (event, 'system:closed', old.credit_count, null, null);
  return null;
end $$;

create trigger users_close_credit_account
  after delete on users
  for each row
  when (old.credit_count > 0)
  execute function close_credit_account();

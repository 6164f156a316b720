import type pg from 'pg';

/** Invariants of the ledger, each with a query for the rows that violate it. */
const violationQueries = {
  'event does not sum to zero': `
    select e.id::text as violation from ledger_events e left join ledger_entries l on l.event_id = e.id
    group by e.id having coalesce(sum(l.amount), 1) <> 0`,
  'stored balance differs from the entries': `
    select u.id::text as violation from users u
    left join ledger_entries l on l.account = 'user:' || u.id
    group by u.id having u.credit_count <> coalesce(sum(l.amount), 0)`,
  'balance below zero': `
    select 'user:' || id as violation from users where credit_count < 0
    union all select account from ledger_entries where balance < 0`,
  'statement has a gap or a wrong balance': `
    select account || ' at ' || position as violation from (
      select account, position, balance,
        row_number() over w as expected, sum(amount) over w as total
      from ledger_entries where position is not null
      window w as (partition by account order by position)) s
    where position <> expected or balance <> total`,
};

/** One line for each violated invariant. */
export async function findLedgerViolations(pool: pg.Pool): Promise<string[]> {
  const lines = [];
  for (const [rule, query] of Object.entries(violationQueries)) {
    const { rows } = await pool.query<{ violation: string }>(query);
    if (rows.length > 0) lines.push(`${rule}: ${rows.map(({ violation }) => violation).join(', ')}`);
  }
  return lines;
}

export async function entriesByEventKey(pool: pg.Pool, keys: string[]): Promise<Map<string, Record<string, number>>> {
  const { rows } = await pool.query<{ key: string; entries: Record<string, number> }>(
    `select e.key, jsonb_object_agg(l.account, l.amount) as entries
     from ledger_events e join ledger_entries l on l.event_id = e.id
     where e.key = any($1) group by e.id`,
    [keys],
  );
  return new Map(rows.map(({ key, entries }) => [key, entries]));
}

import { type AnyColumn, asc, count, desc, getTableName, ilike, like, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Db } from './db.ts';

export type OrderTerm<C extends string = string> = { column: C; descending: boolean };
type OrderInput = { order?: string; sort?: string };

/** Reads "column asc, other desc"; a column alone means descending. An unknown one is refused. */
export function parseOrder<C extends string>({ order, sort }: OrderInput, allowed: readonly C[]): OrderTerm<C>[] {
  const terms = (order ?? sort ?? '').split(',').map((term) => term.trim());
  return terms.filter(Boolean).map((term) => {
    const [name, direction = 'desc', ...rest] = term.split(/\s+/);
    const column = allowed.find((each) => each === name);
    const way = direction.toLowerCase();
    if (!column || rest.length > 0 || !['asc', 'desc'].includes(way))
      throw httpErrors.invalidInput(`不支持的排序方式，可用的列：${allowed.join('、')}`);
    return { column, descending: way === 'desc' };
  });
}

/** `order by` of a list: what was asked for, then what is usual, so that pages never overlap. */
export function orderBy<C extends string>(input: OrderInput, columns: Record<C, AnyColumn>, usual: SQL[]): SQL[] {
  const asked = parseOrder(input, Object.keys(columns) as C[]);
  return [...asked.map(({ column, descending }) => (descending ? desc : asc)(columns[column])), ...usual];
}

/** Ids to filter by, none when only 0 is given; clients written for moredoc send it for none. */
export function parseIds(ids: readonly number[] | undefined): number[] | undefined {
  const requestedIds = ids?.filter((id) => id > 0);
  return requestedIds?.length ? requestedIds : undefined;
}

const words = (wd = '') => wd.trim().split(/\s+/).filter(Boolean);

/** `wd` as a condition: its words, in this order, somewhere in one of the columns. */
export function contains(columns: AnyColumn[], wd: string | undefined): SQL | undefined {
  const parts = words(wd).map((word) => word.replace(/[\\%_]/g, '\\$&'));
  if (parts.length === 0) return undefined;
  const pattern = `%${parts.join('%')}%`;
  // Chinese has no case; to compare as it is written is many times faster than to lower every text first.
  const hasCase = pattern.toLowerCase() !== pattern.toUpperCase();
  return or(...columns.map((column) => (hasCase ? ilike : like)(column, pattern)));
}

/** The same test for rows that are already here. */
export function textContains(texts: string[], wd: string | undefined): boolean {
  return texts.some((text) => {
    const whole = text.toLowerCase();
    let from = 0;
    return words(wd).every((word) => {
      const at = whole.indexOf(word.toLowerCase(), from);
      from = at + word.length;
      return at >= 0;
    });
  });
}

const DEFAULT_SIZE = 10;

/** Rows to fetch; nothing asked for means the whole of a short list. */
export function pageRange({ page, size }: { page?: number; size?: number }): {
  limit?: number;
  offset: number;
} {
  if (page === undefined && size === undefined) return { offset: 0 };
  const limit = size ?? DEFAULT_SIZE;
  return { limit, offset: ((page ?? 1) - 1) * limit };
}

export const pageSlice = <T>(rows: T[], input: { page?: number; size?: number }): T[] => {
  const { limit, offset } = pageRange(input);
  return limit === undefined ? rows : rows.slice(offset, offset + limit);
};

/** How many rows of a table meet a condition. */
export async function countRows(db: Db, table: PgTable, where?: SQL): Promise<number> {
  const [row] = await db.select({ total: count() }).from(table).where(where);
  return row?.total ?? 0;
}

const EXACT_UP_TO = 10_000;

/**
 * The same for a table that may grow without end: exact up to a bound, for counting everything takes
 * as long as reading it. Beyond, the whole of a table is told as the database estimates it.
 */
export async function countBounded(db: Db, table: PgTable, where?: SQL, bound = EXACT_UP_TO): Promise<number> {
  const some = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(bound + 1)
    .as('some');
  const [row] = await db.select({ total: count() }).from(some);
  const total = row?.total ?? 0;
  if (total <= bound || where) return total;
  const { rows } = await db.execute<{ estimate: number }>(
    sql`select reltuples::float8 as estimate from pg_class where oid = ${getTableName(table)}::regclass`,
  );
  return Math.max(total, Math.round(rows[0]?.estimate ?? 0));
}

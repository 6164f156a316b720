import { type AnyColumn, asc, count, desc, getTableName, ilike, like, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Db } from './db.ts';

export type OrderTerm<C extends string = string> = { column: C; descending: boolean };
type OrderInput = { order?: string; sort?: string };

/** Parses "column asc, other desc". A column without direction is descending; an unknown column is rejected. */
export function parseOrder<C extends string>(
  { order, sort }: OrderInput,
  allowedColumns: readonly C[],
): OrderTerm<C>[] {
  const terms = (order ?? sort ?? '').split(',').map((term) => term.trim());
  return terms.filter(Boolean).map((term) => {
    const [name, direction = 'desc', ...rest] = term.split(/\s+/);
    const column = allowedColumns.find((each) => each === name);
    const normalizedDirection = direction.toLowerCase();
    if (!column || rest.length > 0 || !['asc', 'desc'].includes(normalizedDirection))
      throw httpErrors.invalidInput(`不支持的排序方式，可用的列：${allowedColumns.join('、')}`);
    return { column, descending: normalizedDirection === 'desc' };
  });
}

/** The requested order, followed by the default order, which makes the order total so that pages never overlap. */
export function orderByTerms<C extends string>(
  input: OrderInput,
  columns: Record<C, AnyColumn>,
  defaultTerms: SQL[],
): SQL[] {
  const requestedTerms = parseOrder(input, Object.keys(columns) as C[]);
  return [
    ...requestedTerms.map(({ column, descending }) => (descending ? desc : asc)(columns[column])),
    ...defaultTerms,
  ];
}

/** Ids to filter by. Clients written for moredoc send the id 0 for "no filter". */
export function positiveIds(ids: readonly number[] | undefined): number[] | undefined {
  const requestedIds = ids?.filter((id) => id > 0);
  return requestedIds?.length ? requestedIds : undefined;
}

const splitIntoWords = (wd = '') => wd.trim().split(/\s+/).filter(Boolean);

/** A condition that the words of `wd` occur in this order in one of the columns. */
export function containsWords(columns: AnyColumn[], wd: string | undefined): SQL | undefined {
  const parts = splitIntoWords(wd).map((word) => word.replace(/[\\%_]/g, '\\$&'));
  if (parts.length === 0) return undefined;
  const pattern = `%${parts.join('%')}%`;
  // `like` is many times faster than `ilike`, and Chinese has no case.
  const hasCase = pattern.toLowerCase() !== pattern.toUpperCase();
  return or(...columns.map((column) => (hasCase ? ilike : like)(column, pattern)));
}

/** The condition of `containsWords` for rows in memory. */
export function textContainsWords(texts: string[], wd: string | undefined): boolean {
  return texts.some((text) => {
    const lowerText = text.toLowerCase();
    let from = 0;
    return splitIntoWords(wd).every((word) => {
      const at = lowerText.indexOf(word.toLowerCase(), from);
      from = at + word.length;
      return at >= 0;
    });
  });
}

const DEFAULT_PAGE_SIZE = 10;

/** Without page and size all rows are selected: clients of moredoc read short lists as a whole. */
export function toLimitAndOffset({ page, size }: { page?: number; size?: number }): {
  limit?: number;
  offset: number;
} {
  if (page === undefined && size === undefined) return { offset: 0 };
  const limit = size ?? DEFAULT_PAGE_SIZE;
  return { limit, offset: ((page ?? 1) - 1) * limit };
}

export const pageSlice = <T>(rows: T[], input: { page?: number; size?: number }): T[] => {
  const { limit, offset } = toLimitAndOffset(input);
  return limit === undefined ? rows : rows.slice(offset, offset + limit);
};

export async function countRows(db: Db, table: PgTable, where?: SQL): Promise<number> {
  const [row] = await db.select({ total: count() }).from(table).where(where);
  return row?.total ?? 0;
}

const EXACT_COUNT_LIMIT = 10_000;

/**
 * Counts rows exactly up to `limit`, because counting a large table takes as long as reading it. Above the limit, a whole
 * table is estimated from the statistics of PostgreSQL, and a filtered count returns `limit + 1`.
 */
export async function countOrEstimate(db: Db, table: PgTable, where?: SQL, limit = EXACT_COUNT_LIMIT): Promise<number> {
  const limitedRows = db
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(where)
    .limit(limit + 1)
    .as('limited_rows');
  const [row] = await db.select({ total: count() }).from(limitedRows);
  const total = row?.total ?? 0;
  if (total <= limit || where) return total;
  const { rows } = await db.execute<{ estimate: number }>(
    sql`select reltuples::float8 as estimate from pg_class where oid = ${getTableName(table)}::regclass`,
  );
  return Math.max(total, Math.round(rows[0]?.estimate ?? 0));
}

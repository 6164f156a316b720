import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '#modules/account/account.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documentStatus } from './document.contract.ts';
import { documents, documentTwins } from './document.table.ts';
import type { DocumentTwins } from './twins.contract.ts';
import { isVisibleToCaller } from './visibility.ts';

const MAX_LISTED_TWINS = 10;

/**
 * Leaves out documents of which an older twin meets the same conditions. `conditions` contain the visibility for the
 * caller, so that each caller gets the oldest twin that he may see.
 */
export const isOldestTwin = (conditions: SQL | undefined): SQL =>
  // The inner `documents` are the older twins. `offset 0` keeps the planner from joining all twins for a few documents.
  sql`not exists (
    select 1 from (select ${documents.id} as id) entry
    join ${documentTwins} twin on twin.document_id = entry.id
    join ${documentTwins} older on older.twin_group = twin.twin_group and older.document_id < twin.document_id
    join ${documents} on ${documents.id} = older.document_id
    where ${conditions ?? sql`true`} offset 0)`;

/** Leaves out documents with twins, or those without. Deleted documents do not count as twins. */
export function hasTwins(flags: readonly boolean[] = []): SQL | undefined {
  const [isRequired, ...otherFlags] = new Set(flags);
  if (isRequired === undefined || otherFlags.length > 0) return undefined;
  const hasTwin = sql`exists (
    select 1 from ${documentTwins} entry
    join ${documentTwins} twin on twin.twin_group = entry.twin_group and twin.document_id <> entry.document_id
    join ${documents} twin_document on twin_document.id = twin.document_id and twin_document.deleted_at is null
    where entry.document_id = ${documents.id})`;
  return isRequired ? hasTwin : sql`not ${hasTwin}`;
}

/** For each document its twins that the caller may read, oldest first; documents without twins are missing. */
async function listTwins(ctx: Context, ids: readonly number[]): Promise<Map<number, DocumentTwins>> {
  if (ids.length === 0) return new Map();
  const entry = alias(documentTwins, 'entry');
  const { id, title, ext, created_at } = documents;
  const rows = await ctx.db
    .select({ entryId: entry.document_id, id, title, ext, username: users.username, created_at })
    .from(entry)
    .innerJoin(documentTwins, eq(documentTwins.twin_group, entry.twin_group))
    .innerJoin(documents, eq(documents.id, documentTwins.document_id))
    .innerJoin(users, eq(users.id, documents.user_id))
    .where(
      and(
        inArray(entry.document_id, [...ids]),
        sql`${documents.id} <> ${entry.document_id}`,
        eq(documents.status, documentStatus.converted),
        isVisibleToCaller(ctx),
      ),
    )
    .orderBy(asc(documents.id));
  const rowsByEntry = Map.groupBy(rows, ({ entryId }) => entryId);
  return new Map(
    [...rowsByEntry].map(([entryId, twins]) => [
      entryId,
      { total: twins.length, document: twins.slice(0, MAX_LISTED_TWINS).map(({ entryId: _, ...twin }) => twin) },
    ]),
  );
}

/** Adds the twins to rows of a list that shows one document of each group. */
export async function addTwins<R extends { id: number }>(
  ctx: Context,
  rows: R[],
): Promise<(R & { twins?: DocumentTwins })[]> {
  const twins = await listTwins(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, twins: twins.get(row.id) }));
}

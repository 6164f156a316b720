import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import { documents, documentTwins } from '#modules/document/document.table.ts';
import { recordDocumentEvents } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { findSimilarFiles } from './find-near-copies.ts';
import { nearCopySketches } from './near-copy.table.ts';
import { toSketch } from './store-sketch.ts';

/** Bounds the time of one update. The nightly job groups the others. */
const MAX_REGROUPED_FILES = 300;

const { rendition_id, twin_group } = nearCopySketches;

/**
 * Groups a file with the nearly equal ones, and its documents with theirs. A group is named after its first file: each file
 * joins the oldest file that it equals and that has not joined another one. So no file is in a group because of a chain of
 * small differences, and the order in which files are compared does not matter.
 */
export async function updateTwinGroups(ctx: Context, renditionId: number): Promise<void> {
  await inRetriedTransaction(ctx, async (ctx) => {
    // Of two copies that are grouped at the same time, the later one sees the other.
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended('near-copy twins', 0))`);
    const previousRows = await ctx.db
      .select({ group: documentTwins.twin_group })
      .from(documentTwins)
      .innerJoin(documents, eq(documents.id, documentTwins.document_id))
      .where(eq(documents.rendition_id, renditionId));
    const groups = new Set(previousRows.map(({ group }) => group));
    await regroupFiles(ctx, renditionId, groups);
    const changedIds = await updateDocumentTwins(ctx, [...groups]);
    await recordDocumentEvents(ctx, 'twins-changed', changedIds);
  });
}

/** Adds the groups that gain or lose files to `groups`. Files are processed by id, because each depends on older ones only. */
async function regroupFiles(ctx: Context, renditionId: number, groups: Set<number>): Promise<void> {
  const pendingIds = new Set([renditionId]);
  for (let count = 0; pendingIds.size > 0 && count < MAX_REGROUPED_FILES; count += 1) {
    const id = Math.min(...pendingIds);
    pendingIds.delete(id);
    const [row] = await ctx.db.select().from(nearCopySketches).where(eq(rendition_id, id));
    if (!row) continue;
    const similarFiles = await findSimilarFiles(ctx, toSketch(row), id);
    const equalIds = similarFiles.filter(({ kind }) => kind === 'equal').map((each) => each.renditionId);
    const group = (await findFirstFile(ctx, equalIds, id)) ?? id;
    for (const each of [group, row.twin_group]) if (each !== null) groups.add(each);
    if (group === row.twin_group) continue;
    await ctx.db.update(nearCopySketches).set({ twin_group: group }).where(eq(rendition_id, id));
    const members = await ctx.db
      .select({ id: rendition_id })
      .from(nearCopySketches)
      .where(and(eq(twin_group, id), ne(rendition_id, id)));
    for (const each of [...equalIds, ...members.map((member) => member.id)]) if (each > id) pendingIds.add(each);
  }
}

/** The oldest of the files that is older than this one and the first of its group. */
async function findFirstFile(ctx: Context, fileIds: number[], id: number): Promise<number | undefined> {
  const olderIds = fileIds.filter((each) => each < id);
  if (olderIds.length === 0) return undefined;
  const [row] = await ctx.db
    .select({ id: rendition_id })
    .from(nearCopySketches)
    .where(and(inArray(rendition_id, olderIds), eq(twin_group, rendition_id)))
    .orderBy(rendition_id)
    .limit(1);
  return row?.id;
}

/** Lists the documents of groups that have several, and returns those whose group changed. */
async function updateDocumentTwins(ctx: Context, groups: number[]): Promise<number[]> {
  if (groups.length === 0) return [];
  const groupIds = sql`${sql.param(groups)}::bigint[]`;
  const { rows } = await ctx.db.execute<{ document_id: string }>(sql`
    with members as (
      select document.id, sketch.twin_group, count(*) over (partition by sketch.twin_group) as size
      from ${nearCopySketches} sketch join ${documents} document on document.rendition_id = sketch.rendition_id
      where sketch.twin_group = any(${groupIds})
    ), twins as (
      select id, twin_group from members where size > 1
    ), removed_twins as (
      delete from ${documentTwins} stored_twin
      where (stored_twin.twin_group = any(${groupIds}) or stored_twin.document_id in (select id from members))
        and not exists (select 1 from twins where twins.id = stored_twin.document_id)
      returning stored_twin.document_id
    ), added_twins as (
      insert into ${documentTwins} as stored_twin (document_id, twin_group)
      select id, twin_group from twins order by id
      on conflict (document_id) do update set twin_group = excluded.twin_group
        where stored_twin.twin_group <> excluded.twin_group
      returning stored_twin.document_id
    )
    select document_id from removed_twins union select document_id from added_twins`);
  return rows.map((row) => Number(row.document_id));
}

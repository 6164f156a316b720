import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { findDocumentsByRendition } from '#modules/document/list-conversion-queue.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { recognitionTasks, recognizedPages } from './recognition.table.ts';
import { findRecognitionPermit } from './recognition-permit.ts';
import { countPagesToday } from './recognition-queue.ts';

const MAX_LISTED_FILES = 100;
const MAX_DOCUMENTS_PER_FILE = 3;

const pageCount = sql<number>`coalesce(cardinality(${recognitionTasks.pages}), ${renditions.scanned_pages}, 0)`;
const recognizedCount = sql<number>`(select count(*)::int from ${recognizedPages}
  where ${recognizedPages.rendition_id} = ${recognitionTasks.rendition_id})`;

/** Files whose scanned pages wait or failed, those with a running recognition first. */
export async function listRecognitionQueue(ctx: Context) {
  const { converter } = await getSettings(ctx);
  const [waitingItems, failedItems, totals, pagesToday, permit] = await Promise.all([
    listTasks(ctx, eq(recognitionTasks.state, 'waiting')),
    listTasks(ctx, eq(recognitionTasks.state, 'failed')),
    countTasks(ctx),
    countPagesToday(ctx),
    findRecognitionPermit(ctx),
  ]);
  const documentsByRendition = await findDocumentsByRendition(
    ctx,
    [...waitingItems, ...failedItems].map(({ id }) => id),
  );
  const withDocuments = (items: typeof waitingItems) =>
    items.map((item) => ({
      ...item,
      document: (documentsByRendition.get(item.id) ?? []).slice(0, MAX_DOCUMENTS_PER_FILE),
    }));
  return {
    is_enabled: converter.enable_ocr,
    obstacle: permit.obstacle,
    pages_today: pagesToday,
    pages_per_day: converter.ocr_pages_per_day,
    totals,
    waiting: withDocuments(waitingItems),
    failed: withDocuments(failedItems),
  };
}

const listTasks = (ctx: Context, condition: SQL) => {
  const isRunning = sql<boolean>`coalesce(${recognitionTasks.lease_until} > now(), false)`;
  return ctx.db
    .select({
      id: recognitionTasks.rendition_id,
      format: renditions.format,
      pages: pageCount,
      recognized: recognizedCount,
      reason: recognitionTasks.reason,
      is_running: isRunning,
      updated_at: recognitionTasks.updated_at,
    })
    .from(recognitionTasks)
    .innerJoin(renditions, eq(renditions.id, recognitionTasks.rendition_id))
    .where(condition)
    .orderBy(desc(isRunning), recognitionTasks.steps, desc(recognitionTasks.rendition_id))
    .limit(MAX_LISTED_FILES);
};

async function countTasks(ctx: Context) {
  const [row] = await ctx.db
    .select({
      waiting: sql<number>`count(*) filter (where ${recognitionTasks.state} = 'waiting')::int`,
      failed: sql<number>`count(*) filter (where ${recognitionTasks.state} = 'failed')::int`,
      pages_left: sql<number>`coalesce(sum(greatest(${pageCount} - ${renditions.recognized_pages}, 0))
        filter (where ${recognitionTasks.state} = 'waiting'), 0)::int`,
    })
    .from(recognitionTasks)
    .innerJoin(renditions, eq(renditions.id, recognitionTasks.rendition_id))
    .where(sql`${recognitionTasks.state} <> 'done'`);
  return row ?? { waiting: 0, failed: 0, pages_left: 0 };
}

import { sql } from 'drizzle-orm';
import { recordAudit } from '#modules/audit/audit.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { indexDocuments, queueAllDocuments } from './index/index-documents.ts';
import { searchErrors } from './search.contract.ts';
import { selectSearchEngine } from './select-search-engine.ts';

/** From this queue length on the state is a rebuild, not routine updates. */
const REBUILD_QUEUE_SIZE = 100;

export async function getIndexStatus(ctx: Context) {
  const engine = selectSearchEngine(ctx);
  const { rows } = await ctx.db.execute<{ pending_documents: number; at: Date | null }>(sql`
    select (select count(distinct document_id)::int from search_index_queue where is_full) as pending_documents,
      (select max(indexed_at) from search_documents) as at`);
  const pendingCount = rows[0]?.pending_documents ?? 0;
  const at = rows[0]?.at ?? null;
  const common = { engine: engine.name, pending: pendingCount, indexed_at: at && new Date(at).toISOString() };
  try {
    const { documents, size, textSize } = await engine.measure(ctx);
    const isRebuilding = pendingCount > REBUILD_QUEUE_SIZE && pendingCount > documents / 2;
    const busyState = isRebuilding ? ('rebuilding' as const) : ('behind' as const);
    return {
      ...common,
      state: pendingCount === 0 ? ('ok' as const) : busyState,
      message: pendingCount === 0 ? '' : `还有 ${pendingCount} 个文档等待收录`,
      documents,
      size,
      text_size: textSize,
      progress: isRebuilding ? Math.floor(100 * (1 - pendingCount / Math.max(documents, pendingCount))) : 100,
    };
  } catch (error) {
    if (!searchErrors.unavailable.is(error)) throw error;
    const { message } = error;
    const emptyIndex = { documents: 0, size: 0, text_size: 0, progress: 0 };
    return { ...common, ...emptyIndex, state: 'down' as const, message };
  }
}

export async function startFullReindex(ctx: UserContext) {
  const documents = await queueAllDocuments(ctx);
  await ctx.jobs.send(indexDocuments, {}, { db: ctx.db, key: 'all' });
  await recordAudit(ctx, {
    action: '重建搜索索引',
    target: '搜索索引',
    after: { documents },
  });
  return {};
}

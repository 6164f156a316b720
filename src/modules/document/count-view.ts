import { and, eq, lt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { isForeignKeyViolation } from '#platform/server/db/db.ts';
import { rateLimitAddress } from '#platform/server/http/rate-limit.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { createSigner } from '#platform/server/site-secret.ts';
import { skipIfOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { documentErrors } from './document.contract.ts';
import { type DocumentRow, documents, documentViews } from './document.table.ts';
import { hiddenDocumentError } from './hidden-document-error.ts';
import { isVisibleToCaller } from './visibility.ts';

/** Repeated visits of a viewer within this time count as one view. */
const VIEW_WINDOW_MS = 6 * 60 * 60 * 1000;

/** Null for requests of the site itself, such as server rendering and jobs. */
async function identifyViewer(ctx: Context): Promise<string | null> {
  if (ctx.user) return `user:${ctx.user.id}`;
  const { ip, userAgent } = ctx.client;
  if (!ip) return null;
  // Signed, so that viewers can be distinguished but not identified.
  return (await createSigner(ctx, 'viewers')).sign(`${rateLimitAddress(ip)} ${userAgent}`);
}

/**
 * Counts a view once per viewer and time window, never for the owner. A single statement checks and counts, so that
 * concurrent views are counted exactly.
 */
export async function countView(ctx: Context, { id, user_id }: Pick<DocumentRow, 'id' | 'user_id'>): Promise<void> {
  const viewer = await identifyViewer(ctx);
  if (viewer === null || ctx.user?.id === user_id) return;
  const now = ctx.now().getTime();
  const [at, before] = [new Date(now).toISOString(), new Date(now - VIEW_WINDOW_MS).toISOString()];
  // Raw SQL, because a view must not change updated_at.
  const countingQuery = ctx.db
    .execute(sql`
      with new_views as (
        insert into ${documentViews} as v (document_id, viewer, counted_at)
        values (${id}, ${viewer}, ${at})
        on conflict (document_id, viewer) do update set counted_at = excluded.counted_at
          where v.counted_at <= ${before}
        returning document_id)
      update ${documents} set view_count = view_count + 1
      from new_views where ${documents.id} = new_views.document_id`)
    .catch((error: unknown) => {
      // The document was erased meanwhile.
      if (isForeignKeyViolation(error, 'document_views_document_id_fkey')) throw documentErrors.notFound();
      throw error;
    });
  await skipIfOutOfSpace(countingQuery);
}

/** Called by the browser, because pages are rendered once for all visitors. */
export async function recordDocumentView(ctx: Context, { id }: { id: number }) {
  const [row] = await ctx.db
    .select({ id: documents.id, user_id: documents.user_id })
    .from(documents)
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw await hiddenDocumentError(ctx, id);
  await countView(ctx, row);
  return {};
}

/** Deletes views that are older than the time window. */
export const deleteOldViews = defineJob({
  name: 'delete-old-views',
  input: z.object({}),
  run: async (ctx: Context) => {
    const before = new Date(ctx.now().getTime() - VIEW_WINDOW_MS).toISOString();
    await ctx.db.delete(documentViews).where(lt(documentViews.counted_at, before));
  },
});

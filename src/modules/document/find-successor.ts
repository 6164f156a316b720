import { and, eq } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { documentSuccessors, documents } from './document.table.ts';
import type { successorApi } from './successor.contract.ts';
import { isVisibleToCaller } from './visibility.ts';

/** Each document is merged at most once, so this ends longer chains than administrators make. */
const MAX_STEPS = 20;

/** The document into which a missing one was merged; id 0 if there is none that the caller may see. */
export async function findSuccessor(ctx: Context, { id, uuid }: ParsedInputOf<typeof successorApi.find>) {
  let isRequested = id ? eq(documentSuccessors.document_id, id) : eq(documentSuccessors.uuid, uuid ?? '');
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const [row] = await ctx.db
      .select({ id: documentSuccessors.successor_id })
      .from(documentSuccessors)
      .where(isRequested);
    if (!row) break;
    const [visibleRow] = await ctx.db
      .select({ id: documents.id })
      .from(documents)
      .where(and(eq(documents.id, row.id), isVisibleToCaller(ctx)));
    if (visibleRow) return visibleRow;
    isRequested = eq(documentSuccessors.document_id, row.id);
  }
  return { id: 0 };
}

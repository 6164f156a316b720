import { and, eq } from 'drizzle-orm';
import { documentErrors } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import { lockDocuments } from '#modules/document/lock-documents.ts';
import { canSee } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import { type ratingApi, ratingErrors } from './rating.contract.ts';
import { documentScores } from './rating.table.ts';

export async function getRating(ctx: UserContext, { document_id }: { document_id: number }) {
  const [row] = await ctx.db
    .select({ score: documentScores.score })
    .from(documentScores)
    .where(and(eq(documentScores.document_id, document_id), eq(documentScores.user_id, ctx.user.id)));
  return { document_id, user_id: ctx.user.id, score: row?.score ?? 0 };
}

/** Creates or changes the rating of the caller and returns the new average. */
export const rateDocument = (ctx: UserContext, { document_id, score }: ParsedInputOf<typeof ratingApi.put>) =>
  inTransaction(ctx, async (ctx) => {
    const [document] = await lockDocuments(ctx, [document_id]);
    if (!document || !canSee(ctx, document)) throw documentErrors.notFound();
    if (document.user_id === ctx.user.id) throw ratingErrors.ownDocument();
    const now = ctx.now().toISOString();
    await ctx.db
      .insert(documentScores)
      .values({ document_id, user_id: ctx.user.id, score, created_at: now, updated_at: now })
      .onConflictDoUpdate({
        target: [documentScores.document_id, documentScores.user_id],
        set: { score, updated_at: now },
      });
    const [average] = await ctx.db
      .select({ score: documents.score, score_count: documents.score_count })
      .from(documents)
      .where(eq(documents.id, document_id));
    if (!average) throw documentErrors.notFound();
    return average;
  });

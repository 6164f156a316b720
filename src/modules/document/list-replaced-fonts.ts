import { and, eq } from 'drizzle-orm';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { UserContext } from '#platform/server/context.ts';
import { documents } from './document.table.ts';
import type { documentFileApi } from './document-file.contract.ts';
import { hiddenDocumentError } from './hidden-document-error.ts';
import { isOwnerOrManager, isVisibleToCaller } from './visibility.ts';

/** Lists the replaced fonts of a document, for its owner and for managers. */
export async function listReplacedFonts(ctx: UserContext, { id }: ParsedInputOf<typeof documentFileApi.fonts>) {
  const [row] = await ctx.db
    .select({ document: documents, fonts: renditions.replaced_fonts })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!row) throw await hiddenDocumentError(ctx, id);
  if (!isOwnerOrManager(ctx, row.document)) throw httpErrors.forbidden();
  return { font: row.fonts ?? [] };
}

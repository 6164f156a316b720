import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';
import { DOCUMENT_FILE } from './uploaded-attachments.ts';
import { isVisibleToCaller } from './visibility.ts';

type NewDocumentFile = { id: number; hash: string };
type DocumentTitle = { id: number; title: string };
const MAX_IDENTICAL_DOCUMENTS = 3;

/** For each new document the other documents of the same file that the caller may see, newest first. */
export async function listIdenticalDocuments(
  ctx: Context,
  newDocuments: NewDocumentFile[],
): Promise<Map<number, DocumentTitle[]>> {
  const existingDocuments = await ctx.db
    .select({ id: documents.id, title: documents.title, hash: attachments.hash })
    .from(attachments)
    .innerJoin(documents, eq(documents.id, attachments.type_id))
    .where(
      and(
        eq(attachments.type, DOCUMENT_FILE),
        inArray(
          attachments.hash,
          newDocuments.map(({ hash }) => hash),
        ),
        notInArray(
          documents.id,
          newDocuments.map(({ id }) => id),
        ),
        isVisibleToCaller(ctx),
      ),
    )
    .orderBy(desc(documents.id));
  return new Map(
    newDocuments.map(({ id, hash }) => [
      id,
      existingDocuments
        .filter((each) => each.hash === hash)
        .slice(0, MAX_IDENTICAL_DOCUMENTS)
        .map(({ id, title }) => ({ id, title })),
    ]),
  );
}

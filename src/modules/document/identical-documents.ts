import { and, desc, eq, inArray, notInArray } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import type { Context } from '#platform/server/context.ts';
import { documents } from './document.table.ts';
import { DOCUMENT_FILE } from './document-files.ts';
import { visibleTo } from './visibility.ts';

type Made = { id: number; hash: string };
type Known = { id: number; title: string };
const MAX_NAMED = 3;

/** For each new document the others with the very same file that its author may see, newest first. */
export async function identicalDocuments(ctx: Context, made: Made[]): Promise<Map<number, Known[]>> {
  const known = await ctx.db
    .select({ id: documents.id, title: documents.title, hash: attachments.hash })
    .from(attachments)
    .innerJoin(documents, eq(documents.id, attachments.type_id))
    .where(
      and(
        eq(attachments.type, DOCUMENT_FILE),
        inArray(
          attachments.hash,
          made.map(({ hash }) => hash),
        ),
        notInArray(
          documents.id,
          made.map(({ id }) => id),
        ),
        visibleTo(ctx),
      ),
    )
    .orderBy(desc(documents.id));
  return new Map(
    made.map(({ id, hash }) => [
      id,
      known
        .filter((each) => each.hash === hash)
        .slice(0, MAX_NAMED)
        .map(({ id, title }) => ({ id, title })),
    ]),
  );
}

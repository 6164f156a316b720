import { eq } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { lockCategoryTreeShared } from '#modules/category/category.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { accountErrors } from '#modules/role/manage-accounts.contract.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type documentApi, documentErrors } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { addCategoryAncestors, linkCategories } from './document-categories.ts';
import { recordDocumentEvents } from './document-events.ts';
import { conversionStateOf, type ReviewState } from './document-states.ts';
import { extractTitleKeywords } from './extract-title-keywords.ts';
import { listIdenticalDocuments } from './list-identical-documents.ts';
import { lockRenditions, type RenditionRow } from './lock-renditions.ts';
import { recordFirstPublication } from './review/record-first-publication.ts';
import {
  type DocumentFile,
  detectAttachmentFormat,
  findUploadedAttachments,
  hasDocument,
  lockUploadedAttachments,
} from './uploaded-attachments.ts';

type Input = ParsedInputOf<typeof documentApi.create>;
type NewDocument = Input['document'][number] & { file: DocumentFile; format: FileFormat };

/** Creates all documents or none. */
export async function createDocuments(ctx: UserContext, input: Input) {
  const { mayUpload, uploadNeedsReview } = await rightsOfUser(ctx);
  if (!mayUpload) throw accountErrors.mayNotUpload();
  const fileIds = input.document.map(({ attachment_id }) => attachment_id);
  const files = await findUploadedAttachments(ctx, fileIds);
  const newDocuments: NewDocument[] = [];
  for (const [index, each] of input.document.entries()) {
    const file = files[index];
    if (!file) throw documentErrors.wrongFile();
    const keywords = each.keywords || (await extractTitleKeywords(each.title));
    newDocuments.push({ ...each, keywords, file, format: await detectAttachmentFormat(ctx, file) });
  }
  return inRetriedTransaction(ctx, async (ctx) => {
    await lockCategoryTreeShared(ctx);
    await lockUploadedAttachments(ctx, fileIds);
    const path = await addCategoryAncestors(ctx, input.category_id);
    const renditionOf = await registerRenditions(ctx, newDocuments);
    const review_state = uploadNeedsReview ? 'under-review' : 'published';
    const createdDocuments: DocumentRow[] = [];
    for (const each of newDocuments) {
      const document = { ...each, review_state } as const;
      createdDocuments.push(await insertDocument(ctx, document, renditionOf(each)));
    }
    await linkCategories(
      ctx,
      createdDocuments.map(({ id }) => id),
      path,
    );
    if (!uploadNeedsReview) for (const document of createdDocuments) await recordFirstPublication(ctx, document);
    const identicalById = await listIdenticalDocuments(
      ctx,
      createdDocuments.map(({ id }, index) => ({ id, hash: newDocuments[index]?.file.hash ?? '' })),
    );
    return { document: createdDocuments.map((row) => ({ ...row, same: identicalById.get(row.id) ?? [] })) };
  });
}

const renditionKey = ({ file, format }: Pick<NewDocument, 'file' | 'format'>) => `${file.hash} ${format}`;

async function registerRenditions(ctx: Context, newDocuments: NewDocument[]) {
  const byKey = new Map(newDocuments.map((each) => [renditionKey(each), each]));
  const idOf = new Map<string, number>();
  // Sorted, so that two uploads of the same files cannot deadlock.
  for (const [key, { file, format }] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { hash, size } = file;
    const isRepeated = await hasDocument(ctx, hash);
    idOf.set(key, (await registerRendition(ctx, { hash, size, format, isRepeated })).id);
  }
  const lockedRenditions = await lockRenditions(ctx, [...idOf.values()]);
  return (each: NewDocument): RenditionRow => {
    const rendition = lockedRenditions.get(idOf.get(renditionKey(each)) ?? 0);
    if (!rendition) throw new Error('a registered rendition is missing');
    return rendition;
  };
}

async function insertDocument(
  ctx: UserContext,
  { file, attachment_id, visibility, ...fields }: NewDocument & { review_state: ReviewState },
  rendition: RenditionRow,
): Promise<DocumentRow> {
  const [row] = await ctx.db
    .insert(documents)
    .values({
      ...fields,
      // An already converted file provides a description and a language.
      description: fields.description || rendition.summary,
      extracted_summary: rendition.summary,
      language: fields.language || rendition.language,
      visibility: visibility as DocumentRow['visibility'],
      user_id: ctx.user.id,
      rendition_id: rendition.id,
      conversion_state: conversionStateOf(rendition),
      ext: file.ext,
      size: file.size,
      created_at: ctx.now().toISOString(),
    })
    .returning();
  if (!row) throw new Error('the insert returned no row');
  await recordDocumentEvents(ctx, 'created', [row.id]);
  await ctx.db.update(attachments).set({ type_id: row.id }).where(eq(attachments.id, attachment_id));
  return row;
}

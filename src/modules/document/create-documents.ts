import { eq } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { shareTree } from '#modules/category/category.ts';
import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { accountErrors } from '#modules/role/manage-accounts.contract.ts';
import { flagsOf } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { type documentApi, documentErrors, documentStatus } from './document.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { categoryPath, linkCategories } from './document-categories.ts';
import { type DocumentFile, findUploadedFiles, formatOf, lockUploadedFiles } from './document-files.ts';
import { identicalDocuments } from './identical-documents.ts';
import { lockRenditions, type RenditionRow, statusOf } from './rendition-status.ts';
import { publishDocument } from './review/publish-document.ts';
import { titleKeywords } from './title-keywords.ts';

type Input = ParsedInputOf<typeof documentApi.create>;
type NewDocument = Input['document'][number] & { file: DocumentFile; format: FileFormat };

/** Turns uploaded files of the caller into documents: all of them or none. */
export async function createDocuments(ctx: UserContext, input: Input) {
  const { mayUpload, uploadNeedsReview } = await flagsOf(ctx);
  if (!mayUpload) throw accountErrors.mayNotUpload();
  const fileIds = input.document.map(({ attachment_id }) => attachment_id);
  const files = await findUploadedFiles(ctx, fileIds);
  const wanted: NewDocument[] = [];
  for (const [index, each] of input.document.entries()) {
    const file = files[index];
    if (!file) throw documentErrors.wrongFile();
    const keywords = each.keywords || (await titleKeywords(each.title));
    wanted.push({ ...each, keywords, file, format: await formatOf(ctx, file) });
  }
  return inRetriedTransaction(ctx, async (ctx) => {
    await shareTree(ctx);
    await lockUploadedFiles(ctx, fileIds);
    const path = await categoryPath(ctx, input.category_id);
    const contentOf = uploadNeedsReview ? () => null : await registerContents(ctx, wanted);
    const created: DocumentRow[] = [];
    for (const each of wanted) created.push(await insertDocument(ctx, each, contentOf(each)));
    await linkCategories(
      ctx,
      created.map(({ id }) => id),
      path,
    );
    if (!uploadNeedsReview) for (const document of created) await publishDocument(ctx, document);
    const same = await identicalDocuments(
      ctx,
      created.map(({ id }, index) => ({ id, hash: wanted[index]?.file.hash ?? '' })),
    );
    return { document: created.map((row) => ({ ...row, same: same.get(row.id) ?? [] })) };
  });
}

const keyOf = ({ file, format }: Pick<NewDocument, 'file' | 'format'>) => `${file.hash} ${format}`;

async function registerContents(ctx: Context, wanted: NewDocument[]) {
  const byKey = new Map(wanted.map((each) => [keyOf(each), each]));
  const idOf = new Map<string, number>();
  // In one order, so that two uploads of the same files never wait for each other.
  for (const [key, { file, format }] of [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { hash, size } = file;
    idOf.set(key, (await registerRendition(ctx, { hash, size, format })).id);
  }
  const locked = await lockRenditions(ctx, [...idOf.values()]);
  return (each: NewDocument) => locked.get(idOf.get(keyOf(each)) ?? 0) ?? null;
}

/** Without a content it waits for a review. */
async function insertDocument(
  ctx: UserContext,
  { file, attachment_id, visibility, ...fields }: NewDocument,
  content: RenditionRow | null,
): Promise<DocumentRow> {
  const [row] = await ctx.db
    .insert(documents)
    .values({
      ...fields,
      // What is converted already has a text to begin with.
      description: fields.description || (content?.summary ?? ''),
      language: fields.language || (content?.language ?? ''),
      visibility: visibility as DocumentRow['visibility'],
      user_id: ctx.user.id,
      content_id: content?.id ?? null,
      status: content ? statusOf(content) : documentStatus.underReview,
      ext: file.ext,
      size: file.size,
      created_at: ctx.now().toISOString(),
    })
    .returning();
  if (!row) throw new Error('the insert returned no row');
  await ctx.db.update(attachments).set({ type_id: row.id }).where(eq(attachments.id, attachment_id));
  return row;
}

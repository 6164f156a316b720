import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { categories } from '#modules/category/category.table.ts';
import { changeRenditions } from '#modules/conversion/change-renditions.ts';
import type { RenditionState } from '#modules/conversion/conversion.contract.ts';
import { lockOriginal, originalPath } from '#modules/conversion/lock-original.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { createDocuments } from './create-documents.ts';
import type { DocumentStatus } from './document.contract.ts';
import { documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { createUploadAwardsJob } from './pay-upload-awards.ts';

/** A minimal PDF header; the text makes the file unique. */
export const pdfOf = (text: string = crypto.randomUUID()) => Buffer.from(`%PDF-1.7\n% ${text}\n%%EOF\n`);

/** Creates an upload without a document and returns its id. */
export async function newUpload(
  ctx: Context,
  userId: number,
  { bytes = pdfOf(), ext = '.pdf' }: { bytes?: Buffer; ext?: string } = {},
): Promise<number> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return inTransaction(ctx, async (ctx) => {
    await lockOriginal(ctx, hash);
    await ctx.storage.put(originalKey(hash), bytes);
    const [row] = await ctx.db
      .insert(attachments)
      .values({
        hash,
        ext,
        user_id: userId,
        type: 2,
        size: bytes.length,
        name: `文件${ext}`,
        path: originalPath(hash),
        created_at: ctx.now().toISOString(),
      })
      .returning({ id: attachments.id });
    if (!row) throw new Error('the attachment insert returned no row');
    return row.id;
  });
}

/** A user who may upload. */
export const newUploader = async (ctx: Context, flags: { enable_document_review?: boolean } = {}) =>
  newMember(ctx, [await newRole(ctx, [], { enable_upload: true, ...flags })]);

/** Creates a chain of nested categories and returns their ids, parents first. */
export async function createCategoryChain(ctx: Context, depth = 2): Promise<number[]> {
  const path: number[] = [];
  for (let level = 0; level < depth; level += 1) {
    const title = `分类 ${crypto.randomUUID().slice(0, 8)}`;
    const [row] = await ctx.db
      .insert(categories)
      .values({ title, parent_id: path.at(-1) ?? null })
      .returning({ id: categories.id });
    if (row) path.push(row.id);
  }
  return path;
}

/** Creates a converted document and returns its id. */
export async function addConvertedDocument(
  ctx: Context,
  owner: Pick<Member, 'id'>,
  fields: Parameters<typeof addDocument>[2],
  renditionValues: Parameters<typeof setConversionState>[3] = {},
): Promise<number> {
  const { id } = await addDocument(ctx, owner, fields);
  await setConversionState(ctx, id, 'ready', renditionValues);
  return id;
}

/** Sets the conversion state as a worker would. */
export async function setConversionState(
  ctx: Context,
  documentId: number,
  state: RenditionState = 'ready',
  values: Partial<typeof renditions.$inferInsert> = {},
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [row] = await ctx.db.select().from(documents).where(eq(documents.id, documentId));
    if (!row?.rendition_id) throw new Error(`document ${documentId} has no rendition`);
    const ready_at = ctx.now().toISOString();
    const completeValues = state === 'ready' ? { pages: 3, ready_pages: 3, ready_at } : {};
    await changeRenditions(ctx, eq(renditions.id, row.rendition_id), { state, ...completeValues, ...values });
  });
  await waitForEventDelivery(ctx);
}

const statesOfStatus: Record<DocumentStatus, Pick<DocumentChange, 'review_state' | 'conversion_state'>> = {
  0: { review_state: 'published', conversion_state: 'waiting' },
  1: { review_state: 'published', conversion_state: 'converting' },
  2: { review_state: 'published', conversion_state: 'converted' },
  3: { review_state: 'published', conversion_state: 'failed' },
  4: { review_state: 'disabled' },
  5: { review_state: 'published', conversion_state: 'reconverting' },
  6: { review_state: 'under-review' },
  7: { review_state: 'refused' },
};
type DocumentChange = Partial<typeof documents.$inferInsert>;

/** Sets columns of a document, and returns when all consumers have followed the change. */
export async function changeDocument(
  ctx: Context,
  id: number,
  { status, ...values }: DocumentChange & { status?: DocumentStatus },
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(documents)
      .set({ ...values, ...(status !== undefined && statesOfStatus[status]) })
      .where(eq(documents.id, id));
    await recordDocumentEvents(ctx, 'title' in values ? 'text-changed' : 'reviewed', [id]);
  });
  await waitForEventDelivery(ctx);
}

/** Pays the awards of completely converted uploads, also of copies. */
export const payAwards = (ctx: Context) =>
  createUploadAwardsJob(async () => false).run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });

/** Creates a converted document whose award is paid, if the daily limit permits it. */
export async function addRewardedDocument(...parameters: Parameters<typeof addConvertedDocument>): Promise<number> {
  const id = await addConvertedDocument(...parameters);
  await payAwards(parameters[0]);
  return id;
}

export async function readDocumentCounts(ctx: Context, userId: number, categoryIds: number[]) {
  const { rows: people } = await ctx.db.execute<{ doc_count: number }>(
    `select doc_count from users where id = ${userId}`,
  );
  const { rows } = await ctx.db.execute<{ id: string; doc_count: number }>(
    `select id, doc_count from categories where id in (${categoryIds.join(',')})`,
  );
  const byId = new Map(rows.map(({ id, doc_count }) => [Number(id), doc_count]));
  return { user: people[0]?.doc_count, categories: categoryIds.map((id) => byId.get(id)) };
}

type Member = { id: number; headers: { authorization?: string } };
/** Creates a document through the API function. */
export async function addDocument(
  ctx: Context,
  { id: userId }: Pick<Member, 'id'>,
  {
    category_id,
    bytes,
    ext,
    ...fields
  }: {
    category_id: number[];
    bytes?: Buffer;
    ext?: string;
    title?: string;
    description?: string;
    price?: number;
  },
) {
  const user = {
    id: userId,
    username: '',
    isRoot: false,
    permissions: new Set<string>(),
    sessionId: 0,
  };
  const attachment_id = await newUpload(ctx, userId, { bytes, ext });
  const { document } = await createDocuments(
    { ...ctx, user },
    {
      category_id,
      document: [
        {
          title: '一篇文档',
          price: 0,
          keywords: '',
          description: '',
          language: '',
          visibility: 0,
          preview: 0,
          ...fields,
          attachment_id,
        },
      ],
    },
  );
  const [row] = document;
  if (!row) throw new Error('createDocuments returned no document');
  return row;
}

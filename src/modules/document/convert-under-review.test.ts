import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, changeDocument, createCategoryChain, newUploader, pdfOf } from './document.fixture.ts';
import { documents } from './document.table.ts';

const { ctx, pool } = await testApp();
const category_id = await createCategoryChain(ctx);
const migrate = async () => pool.query(await readFile('migrations/0052_document.convert-under-review.sql', 'utf8'));
const rowOf = async (id: number) => {
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  return row;
};

/** As an earlier version left a document: without a rendition until its approval. */
async function addUnconverted(bytes: Buffer, status: 6 | 7 = 6): Promise<number> {
  const uploader = await newUploader(ctx, { enable_document_review: true });
  const { id, rendition_id } = await addDocument(ctx, uploader, { category_id, bytes });
  await changeDocument(ctx, id, { status, rendition_id: null });
  await ctx.db.delete(renditions).where(eq(renditions.id, rendition_id ?? 0));
  return id;
}

test('an upgrade queues the files of documents under review once, and leaves refused documents alone', async () => {
  const bytes = pdfOf();
  const [id, sameFileId] = [await addUnconverted(bytes), await addUnconverted(bytes)];
  const refusedId = await addUnconverted(pdfOf(), 7);
  await migrate();
  const [row, sameFileRow] = [await rowOf(id), await rowOf(sameFileId)];
  expect(row).toMatchObject({ status: 6, rendition_id: expect.any(Number) });
  expect(sameFileRow?.rendition_id).toBe(row?.rendition_id);
  expect((await rowOf(refusedId))?.rendition_id).toBeNull();
  const [rendition] = await ctx.db
    .select()
    .from(renditions)
    .where(eq(renditions.id, row?.rendition_id ?? 0));
  expect(rendition).toMatchObject({ state: 'waiting', size: bytes.length, convert_after: expect.any(String) });
});

test('an upgrade gives a document under review the conversion that another document of its file has', async () => {
  const bytes = pdfOf();
  const id = await addUnconverted(bytes);
  const publishedDocument = await addDocument(ctx, await newUploader(ctx), { category_id, bytes });
  const values = { state: 'ready', pages: 2, ready_pages: 2, ready_at: new Date().toISOString() } as const;
  await ctx.db
    .update(renditions)
    .set(values)
    .where(eq(renditions.id, publishedDocument.rendition_id ?? 0));
  await migrate();
  await waitForEventDelivery(ctx);
  expect(await rowOf(id)).toMatchObject({
    status: 6,
    rendition_id: publishedDocument.rendition_id,
    conversion_state: 'converted',
  });
});

import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { deleteUnusedAttachments } from '#modules/attachment/delete-unused-attachments.ts';
import { findForegroundCandidates } from '#modules/conversion/conversion-queue.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  readDocumentCounts,
} from '#modules/document/document.fixture.ts';
import { eraseExpiredFiles } from '#modules/document/recycle/erase-expired-files.ts';
import { cancelUploadRequest, createUploadRequest, uploadPartRequest } from '#modules/upload/resumable.fixture.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, as, clock, pool } = await testApp();
const uploader = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

/** Sends a file as the upload page does before the submission. */
async function sendFile(name = `${crypto.randomUUID()}.txt`, { headers } = uploader) {
  const bytes = Buffer.from(`书中有正文 ${crypto.randomUUID()}`);
  const creation = await app.inject(createUploadRequest(bytes.length, name, headers));
  const url = String(creation.headers.location);
  const response = await app.inject(uploadPartRequest(url, 0, bytes, headers));
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { id: Number(response.headers['upload-attachment-id']), hash, url };
}
const readRendition = async (hash: string) => {
  const [rendition] = await ctx.db.select().from(renditions).where(eq(renditions.hash, hash));
  return rendition;
};
const publish = (attachment_id: number) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: uploader.headers,
    payload: { category_id, document: [{ title: '发布', attachment_id }] },
  });
const remove = (id: number, headers = uploader.headers) =>
  app.inject({ method: 'DELETE', url: `/api/v1/upload/document?id=${id}`, headers });
const isStored = async (hash: string) => (await ctx.storage.stat(originalKey(hash))) !== null;
/** Erases files of which the retention time is over in a year. */
const eraseRemoved = () =>
  eraseExpiredFiles({ ...ctx, now: () => new Date(clock.now.getTime() + 365 * 24 * 60 * 60 * 1000) });

test('a sent file is converted in turn with the files of documents, and once also after its publication', async () => {
  const { id, hash } = await sendFile();
  const sentRendition = await readRendition(hash);
  expect(sentRendition).toMatchObject({ state: 'waiting', queue_level: 0, convert_after: expect.any(String) });
  const { rendition_id } = await addDocument(ctx, await newUploader(ctx), { category_id });
  expect((await findForegroundCandidates(ctx)).toSorted((a, b) => a - b)).toEqual([sentRendition?.id, rendition_id]);
  const response = await publish(id);
  expect(response.json().document[0]).toMatchObject({ status: 0 });
  expect(await readRendition(hash)).toEqual(sentRendition);
});

test('a sent file is no document: it is in no list and no count, and the conversion queue shows its name', async () => {
  const owner = await newUploader(ctx);
  await sendFile('还没有发布.txt', owner);
  expect(await readDocumentCounts(ctx, owner.id, category_id)).toMatchObject({ user: 0 });
  const list = await app.inject({ url: `/api/v1/document/list?user_id=${owner.id}`, headers: owner.headers });
  expect(list.json().document).toEqual([]);
  const queue = (await app.inject({ url: '/api/v1/document/queue', headers: await as.root() })).json();
  const { rows } = await pool.query('select username from users where id = $1', [owner.id]);
  expect(queue.waiting).toContainEqual(
    expect.objectContaining({ document: [], upload: { name: '还没有发布.txt', username: rows[0].username } }),
  );
});

test('a removed upload is deleted with its conversion, unless it is of another user or a document', async () => {
  const [removedFile, publishedFile, cancelledFile] = [await sendFile(), await sendFile(), await sendFile()];
  const otherUser = await newUploader(ctx);
  expect((await remove(publishedFile.id, otherUser.headers)).statusCode).toBe(404);
  expect((await publish(publishedFile.id)).statusCode).toBe(200);
  expect((await remove(publishedFile.id)).statusCode).toBe(404);
  expect((await remove(removedFile.id)).statusCode).toBe(200);
  await app.inject(cancelUploadRequest(cancelledFile.url, uploader.headers));
  expect((await publish(removedFile.id)).json().code).toBe('document.wrongFile');
  await eraseRemoved();
  for (const { hash } of [removedFile, cancelledFile])
    expect([await isStored(hash), await readRendition(hash)]).toEqual([false, undefined]);
  expect([await isStored(publishedFile.hash), (await readRendition(publishedFile.hash))?.hash]).toEqual([
    true,
    publishedFile.hash,
  ]);
});

test('a file that was not published within a day is deleted with its conversion', async () => {
  const { hash } = await sendFile();
  clock.now = new Date(clock.now.getTime() + 23 * 60 * 60 * 1000);
  await deleteUnusedAttachments(ctx);
  await eraseExpiredFiles(ctx);
  expect(await isStored(hash)).toBe(true);
  clock.now = new Date(clock.now.getTime() + 2 * 60 * 60 * 1000);
  await deleteUnusedAttachments(ctx);
  await eraseRemoved();
  expect([await isStored(hash), await readRendition(hash)]).toEqual([false, undefined]);
});

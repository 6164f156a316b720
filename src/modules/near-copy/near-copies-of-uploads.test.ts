import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { changeDocument, newUpload } from '#modules/document/document.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { makeTextInLines } from './near-copy.fixture.ts';

const { app, ctx } = await testApp({ runJobs: true });
const publisher = await newPublisher(ctx);
const uploader = await newPublisher(ctx);

/** An upload without a document; returns the id of the attachment after the conversion of the file. */
async function upload(bytes: Buffer, format: 'txt' | 'pdf' = 'txt'): Promise<number> {
  const id = await newUpload(ctx, uploader.id, { bytes, ext: `.${format}` });
  const hash = createHash('sha256').update(bytes).digest('hex');
  const rendition = { hash, format, size: bytes.length, userId: uploader.id, isRepeated: false };
  await waitForRendition(ctx, (await registerRendition(ctx, rendition)).id);
  return id;
}

async function compare(ids: number[], headers: { authorization?: string } = uploader.headers) {
  const url = `/api/v1/upload/near-copies?${ids.map((id) => `id=${id}`).join('&')}`;
  const response = await app.inject({ url, headers });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().upload;
}
const NO_COPIES = { is_final: true, reason: '', copy: [], hidden_count: 0, upload: [] };

test('files of the upload page are compared before their publication, several in one request', async () => {
  const original = await publisher.publish(makeTextInLines(1, 40), '.txt', { title: '公开的原文' });
  const [copyId, differentId] = [await upload(makeTextInLines(1, 33)), await upload(makeTextInLines(2, 33))];
  const damagedId = await upload(Buffer.from(`%PDF-1.7 ${crypto.randomUUID()}`), 'pdf');
  expect(await compare([copyId, differentId, damagedId, 999_999])).toEqual([
    {
      ...NO_COPIES,
      id: copyId,
      copy: [expect.objectContaining({ id: original, title: '公开的原文', kind: 'equal', share: 100 })],
    },
    { ...NO_COPIES, id: differentId },
    { ...NO_COPIES, id: damagedId, reason: '文档已损坏，无法打开' },
    { ...NO_COPIES, id: 999_999 },
  ]);
});

test('private documents and documents under review of other users are counted and not named', async () => {
  const [privateId, reviewedId] = [
    await publisher.publish(makeTextInLines(3, 40), '.txt', { title: '私密的原文' }),
    await publisher.publish(makeTextInLines(3, 29), '.txt', { title: '待审的原文' }),
  ];
  await changeDocument(ctx, privateId, { visibility: 2 });
  await changeDocument(ctx, reviewedId, { status: 6 });
  const id = await upload(makeTextInLines(3, 33));
  expect(await compare([id])).toEqual([{ ...NO_COPIES, id, hidden_count: 2 }]);
});

test('files of other users and files of documents are not compared', async () => {
  await publisher.publish(makeTextInLines(4, 40), '.txt');
  const id = await upload(makeTextInLines(4, 33));
  expect(await compare([id], (await newMember(ctx)).headers)).toEqual([{ ...NO_COPIES, id }]);
  expect((await compare([id]))[0].copy).toHaveLength(1);
  await ctx.db.update(attachments).set({ type_id: 12 }).where(eq(attachments.id, id));
  expect(await compare([id])).toEqual([{ ...NO_COPIES, id }]);
});

test('files of one upload are compared with each other, also before they are published', async () => {
  const text = makeTextInLines(5, 40);
  const [firstId, copyId] = [await upload(text), await upload(makeTextInLines(5, 33))];
  // The same file under another name.
  const secondId = await upload(text);
  const comparisons = await compare([firstId, copyId, secondId]);
  const similarUpload = (id: number, kind: 'equal' | 'identical') => ({ id, kind, share: 100 });
  expect(comparisons.map((comparison: { upload: object[] }) => comparison.upload)).toEqual([
    [similarUpload(copyId, 'equal'), similarUpload(secondId, 'identical')],
    [similarUpload(firstId, 'equal'), similarUpload(secondId, 'equal')],
    [similarUpload(firstId, 'identical'), similarUpload(copyId, 'equal')],
  ]);
});

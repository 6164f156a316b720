import { expect, test } from 'vitest';
import { addRendition } from '#modules/conversion/conversion.fixture.ts';
import { blobPrefix } from '#modules/conversion/rendition-keys.ts';
import { newRole, newStaff } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import {
  addConvertedDocument,
  addDocument,
  createCategoryChain,
  newUpload,
  newUploader,
  pdfOf,
  setConversionState,
} from './document.fixture.ts';
import { eraseExpiredFiles } from './recycle/erase-expired-files.ts';

const { app, ctx, as, pool, clock } = await testApp();
type Headers = { authorization?: string };
const RETENTION_TIME_MS = 2 * 24 * 60 * 60_000;

/** Adds a document whose conversion has failed. */
async function addFailedDocument(owner: { id: number }, title = '年报'): Promise<number> {
  const { id } = await addDocument(ctx, owner, { category_id: await createCategoryChain(ctx), title });
  await setConversionState(ctx, id, 'failed', { reason: '文档已加密' });
  return id;
}
const replace = (id: number, attachment_id: number, headers: Headers) =>
  app.inject({
    method: 'PUT',
    url: '/api/v1/document/file',
    headers,
    payload: { id, attachment_id },
  });
const rowOf = async (id: number) =>
  (await pool.query('select status, rendition_id::int, ext, size::int, title from documents where id = $1', [id]))
    .rows[0];
const hashOf = async (documentId: number): Promise<string> =>
  (await pool.query('select hash from attachments where type = 2 and type_id = $1', [documentId])).rows[0].hash;
const storedUnder = async (hash: string) => (await Array.fromAsync(ctx.storage.list(blobPrefix(hash)))).length;

test('a document whose file is replaced keeps its title, serves the new file and erases the old one', async () => {
  const owner = await newUploader(ctx);
  const id = await addFailedDocument(owner, '年度报告');
  const oldHash = await hashOf(id);
  const bytes = pdfOf();
  const attachment = await newUpload(ctx, owner.id, { bytes });
  expect((await replace(id, attachment, owner.headers)).statusCode).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 0 });
  await setConversionState(ctx, id, 'ready');
  expect(await rowOf(id)).toMatchObject({
    status: 2,
    ext: '.pdf',
    size: bytes.length,
    title: '年度报告',
  });
  const { url } = (await app.inject({ url: `/api/v1/document/download?id=${id}`, headers: await as.root() })).json();
  expect((await app.inject({ url })).rawPayload.equals(bytes)).toBe(true);
  clock.now = new Date(clock.now.getTime() + RETENTION_TIME_MS);
  await eraseExpiredFiles(ctx);
  expect(await storedUnder(oldHash)).toBe(0);
  expect(await storedUnder(await hashOf(id))).toBe(1);
});

test('a replaced decrypted copy is erased, although no attachment has its hash', async () => {
  const owner = await newUploader(ctx);
  const id = await addFailedDocument(owner);
  const decryptedCopy = await addRendition(ctx, '解密.pdf', pdfOf());
  await pool.query('update documents set rendition_id = $2 where id = $1', [id, decryptedCopy.id]);
  await setConversionState(ctx, id, 'failed', { reason: '文档已损坏' });
  expect((await replace(id, await newUpload(ctx, owner.id), owner.headers)).statusCode).toBe(200);
  expect(await storedUnder(decryptedCopy.hash)).toBe(1);
  clock.now = new Date(clock.now.getTime() + RETENTION_TIME_MS);
  await eraseExpiredFiles(ctx);
  expect(await storedUnder(decryptedCopy.hash)).toBe(0);
});

test('an administrator who may edit the document replaces its file, recorded in the audit log', async () => {
  const id = await addFailedDocument(await newUploader(ctx), '合同');
  const role = await newRole(ctx, [], { enable_upload: true });
  const administrator = await newStaff(ctx, ['DocumentAPI/UpdateDocument']);
  await pool.query('insert into user_roles (user_id, role_id) values ($1, $2)', [administrator.id, role]);
  const attachment = await newUpload(ctx, administrator.id);
  expect((await replace(id, attachment, administrator.headers)).statusCode).toBe(200);
  const { rows } = await pool.query("select target from audit_logs where action = '替换文档文件'");
  expect(rows).toEqual([{ target: `文档 ${id} 合同` }]);
});

test('a user can replace neither the file of another user nor use an upload of another user', async () => {
  const [owner, foreign] = [await newUploader(ctx), await newUploader(ctx)];
  const id = await addFailedDocument(owner);
  const before = await rowOf(id);
  const foreignUpload = await newUpload(ctx, foreign.id);
  expect((await replace(id, foreignUpload, foreign.headers)).statusCode).toBe(403);
  expect((await replace(id, foreignUpload, owner.headers)).statusCode).toBe(400);
  expect((await replace(id, foreignUpload, as.visitor)).statusCode).toBe(401);
  expect(await rowOf(id)).toEqual(before);
});

test('the file of a document whose conversion did not fail cannot be replaced', async () => {
  const owner = await newUploader(ctx);
  const category_id = await createCategoryChain(ctx);
  const id = await addConvertedDocument(ctx, owner, { category_id });
  const attachment = await newUpload(ctx, owner.id);
  const answer = await replace(id, attachment, owner.headers);
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'document-file.notFailed']);
});

test('a replaced file waits for review when uploads of its owner need one', async () => {
  const owner = await newUploader(ctx);
  const id = await addFailedDocument(owner);
  const reviewedRole = await newRole(ctx, [], { enable_upload: true, enable_document_review: true });
  await pool.query('update user_roles set role_id = $2 where user_id = $1', [owner.id, reviewedRole]);
  const attachment = await newUpload(ctx, owner.id);
  expect((await replace(id, attachment, owner.headers)).statusCode).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 6, rendition_id: expect.any(Number) });
});

test('a file under review whose conversion failed is replaced before the review, and the document stays under review', async () => {
  const owner = await newUploader(ctx, { enable_document_review: true });
  const id = await addFailedDocument(owner);
  const attachment = await newUpload(ctx, owner.id);
  expect((await replace(id, attachment, owner.headers)).statusCode).toBe(200);
  await setConversionState(ctx, id, 'ready');
  expect(await rowOf(id)).toMatchObject({ status: 6 });
  const nextAttachment = await newUpload(ctx, owner.id);
  expect((await replace(id, nextAttachment, owner.headers)).json().code).toBe('document-file.notFailed');
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import {
  cancelUploadRequest,
  createUploadRequest,
  TUS_HEADERS,
  uploadPartRequest,
  uploadStatusRequest,
} from './resumable.fixture.ts';
import { deleteExpiredUploads } from './resumable-upload.ts';
import { uploads } from './upload.table.ts';
import { UploadStore } from './upload-store.ts';

const { app, ctx, clock, folder } = await testApp();
const uploaderRole = await newRole(ctx, [], { enable_upload: true });
const { id: ownerId, headers: owner } = await newMember(ctx, [uploaderRole]);
const uploadPath = '/api/v1/upload/resumable';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const makeText = (length: number) =>
  Buffer.from('续传的文字 resumable\n'.repeat(length / 20) + randomBytes(8).toString('hex'));

const create = (size: number, { name = '大文件.txt', headers = owner } = {}) =>
  app.inject(createUploadRequest(size, name, headers));
const createAndGetUrl = async (size: number) => String((await create(size)).headers.location);
const patch = (url: string, offset: number, payload: Buffer, headers = owner) =>
  app.inject(uploadPartRequest(url, offset, payload, headers));
const head = (url: string, headers = owner) => app.inject(uploadStatusRequest(url, headers));
const cancel = (url: string, headers = owner) => app.inject(cancelUploadRequest(url, headers));
const countParts = async () => (await Array.fromAsync(ctx.storage.list('incoming/'))).length;

test('a resumable upload in parts becomes an attachment with the last part', async () => {
  const bytes = makeText(5_000);
  const url = await createAndGetUrl(bytes.length);
  const first = await patch(url, 0, bytes.subarray(0, 2_000));
  expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '2000']);
  expect((await head(url)).headers['upload-offset']).toBe('2000');
  const last = await patch(url, 2_000, bytes.subarray(2_000));
  const id = Number(last.headers['upload-attachment-id']);
  const [row] = await ctx.db.select().from(attachments).where(eq(attachments.id, id));
  expect(row).toMatchObject({ name: '大文件.txt', hash: sha256(bytes), size: bytes.length });
  expect(await ctx.storage.stat(originalKey(sha256(bytes)))).toEqual({ size: bytes.length });
  expect(await countParts()).toBe(0);
  const emptyPart = await patch(url, bytes.length, Buffer.alloc(0));
  expect([emptyPart.statusCode, emptyPart.headers['upload-attachment-id']]).toEqual([204, String(id)]);
  // The response to the last part may have been lost.
  expect((await head(url)).headers['upload-attachment-id']).toBe(String(id));
});

test('a part with a wrong offset is rejected with 409, and only one of two concurrent parts is stored', async () => {
  const bytes = makeText(3_000);
  const url = await createAndGetUrl(bytes.length);
  expect((await patch(url, 7, bytes.subarray(7))).statusCode).toBe(409);
  const responses = await Promise.all([0, 0].map((offset) => patch(url, offset, bytes.subarray(0, 1_000))));
  const [acceptedStatus, rejectedStatus] = responses.map(({ statusCode }) => statusCode).sort();
  expect(acceptedStatus).toBe(204);
  // The first part may be complete when the second arrives.
  expect([409, 423]).toContain(rejectedStatus);
  expect((await head(url)).headers['upload-offset']).toBe('1000');
  expect(await countParts()).toBe(1);
  expect((await cancel(url)).statusCode).toBe(204);
  expect(await countParts()).toBe(0);
  expect((await head(url)).statusCode).toBe(404);
});

/** Receives a part as @tus/server does. */
async function receivePart(url: string, body: Readable, storage = ctx.storage) {
  const user = { id: ownerId, username: '', isRoot: false, permissions: new Set<string>(), sessionId: 0 };
  const store = new UploadStore({ ...ctx, user, storage }, null);
  const id = url.split('/').at(-1) ?? '';
  const lock = store.newLock(id, 'PATCH');
  await lock.lock(new AbortController().signal, () => {});
  await store.write(body, id, 0).finally(lock.unlock);
}

test('a part whose connection closed before it was read does not lock the upload', async () => {
  const url = await createAndGetUrl(3);
  const body = new PassThrough();
  body.destroy();
  await expect(receivePart(url, body)).rejects.toMatchObject({ code: 'upload.broken' });
  expect((await patch(url, 0, Buffer.from('abc'))).statusCode).toBe(204);
});

test('a part whose sender is silent for 30 seconds is rejected and does not lock the upload', async () => {
  const url = await createAndGetUrl(3);
  /** The only timer while the storage waits for bytes is that of the silence. */
  const put: typeof ctx.storage.put = async (key, body) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const storedPart = ctx.storage.put(key, body);
    await expect.poll(() => vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    return storedPart;
  };
  const part = receivePart(url, new PassThrough(), { ...ctx.storage, put });
  await expect(part).rejects.toMatchObject({ code: 'upload.broken' });
  expect(await countParts()).toBe(0);
  expect((await patch(url, 0, Buffer.from('abc'))).statusCode).toBe(204);
});

test('a part with more bytes than announced is rejected with 413', async () => {
  const url = await createAndGetUrl(100);
  expect((await patch(url, 0, makeText(4_000))).statusCode).toBe(413);
  expect((await head(url)).headers['upload-offset']).toBe('0');
});

test('an upload of another user is answered with 404', async () => {
  const url = await createAndGetUrl(100);
  const { headers } = await newMember(ctx, [uploaderRole]);
  expect((await head(url, headers)).statusCode).toBe(404);
  expect((await patch(url, 0, Buffer.from('x'), headers)).statusCode).toBe(404);
  expect((await cancel(url, headers)).statusCode).toBe(404);
});

test('a file that may not be uploaded is rejected before any byte is sent', async () => {
  expect((await create(60 * 1024 * 1024)).json().message).toBe('文件过大，最大允许 50.00 MB');
  expect((await create(10, { name: 'a.exe' })).json().message).toBe('不支持的文档类型：.exe');
  expect((await create(10, { headers: {} as never })).statusCode).toBe(401);
});

test('a file whose content contradicts its extension is rejected with the last part and deleted', async () => {
  const bytes = makeText(1_000);
  const response = await create(bytes.length, { name: '假的.pdf' });
  const rejectedResponse = await patch(String(response.headers.location), 0, bytes);
  expect(rejectedResponse.json().message).toBe('文件扩展名是 .pdf，内容却是纯文本');
  expect((await head(String(response.headers.location))).statusCode).toBe(404);
});

test('a resumable upload of an empty file is rejected with 422', async () => {
  const response = await create(0);
  expect([response.statusCode, response.json().message]).toEqual([422, '文件是空的']);
});

test('a temporary storage failure loses no received part', async () => {
  const bytes = makeText(3_000);
  const url = await createAndGetUrl(bytes.length);
  await patch(url, 0, bytes.subarray(0, 1_000));
  const partsFolder = join(folder, 'storage/incoming');
  await rename(partsFolder, `${partsFolder}-away`);
  await writeFile(partsFolder, '');
  const failedResponse = await patch(url, 1_000, bytes.subarray(1_000));
  expect([failedResponse.statusCode, failedResponse.json().message]).toEqual([503, '存储暂时不可用，请稍后重试']);
  await rm(partsFolder);
  await rename(`${partsFolder}-away`, partsFolder);
  expect((await head(url)).headers['upload-offset']).toBe('1000');

  const originalFile = join(folder, 'storage/objects', dirname(originalKey(sha256(bytes))));
  await mkdir(dirname(originalFile), { recursive: true });
  await writeFile(originalFile, '');
  expect((await patch(url, 1_000, bytes.subarray(1_000))).statusCode).toBe(503);
  expect((await head(url)).statusCode).toBe(503);
  await rm(originalFile);
  const finishedUrl = await head(url);
  expect([finishedUrl.statusCode, finishedUrl.headers['upload-attachment-id']]).toEqual([
    200,
    expect.stringMatching(/^\d+$/),
  ]);
});

test('concurrent requests while the parts are joined return the same attachment', async () => {
  const bytes = makeText(3_000);
  const url = await createAndGetUrl(bytes.length);
  const originalFile = join(folder, 'storage/objects', dirname(originalKey(sha256(bytes))));
  await mkdir(dirname(originalFile), { recursive: true });
  await writeFile(originalFile, '');
  await patch(url, 0, bytes);
  await rm(originalFile);
  const responses = await Promise.all([head(url), head(url), head(url)]);
  const ids = responses.map(({ headers }) => headers['upload-attachment-id']);
  expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^\d+$/)]));
  const rows = await ctx.db
    .select()
    .from(attachments)
    .where(eq(attachments.hash, sha256(bytes)));
  expect(rows).toHaveLength(1);
});

test('a finished upload is answered with 404 after its attachment was deleted', async () => {
  const bytes = makeText(1_000);
  const url = await createAndGetUrl(bytes.length);
  const id = Number((await patch(url, 0, bytes)).headers['upload-attachment-id']);
  await ctx.db.delete(attachments).where(eq(attachments.id, id));
  expect((await head(url)).statusCode).toBe(404);
});

test('the upload list contains unfinished uploads only, and each response has an expiry time', async () => {
  const bytes = makeText(1_000);
  const finishedUrl = await createAndGetUrl(bytes.length);
  await patch(finishedUrl, 0, bytes);
  const openUpload = await create(bytes.length);
  expect(Date.parse(String(openUpload.headers['upload-expires'])) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const list = await app.inject({ url: '/api/v1/upload/list', headers: owner });
  const ids = list.json().upload.map(({ id }: { id: string }) => id);
  expect(ids).toContain(String(openUpload.headers.location).split('/').at(-1));
  expect(ids).not.toContain(finishedUrl.split('/').at(-1));
});

test('abandoned uploads are deleted after a day', async () => {
  const url = await createAndGetUrl(100);
  await patch(url, 0, Buffer.from('abc'));
  const id = url.split('/').at(-1) ?? '';
  await ctx.db.update(uploads).set({ updated_at: clock.now.toISOString() }).where(eq(uploads.id, id));
  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000);
  const attempt = { signal: new AbortController().signal, attempt: 1 };
  await deleteExpiredUploads.run(ctx, {}, attempt);
  expect(await ctx.db.select().from(uploads).where(eq(uploads.id, id))).toEqual([]);
});

describe('a resumable upload over a real connection', () => {
  let address = '';
  beforeAll(async () => {
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  test('keeps its offset when the connection breaks', async () => {
    const url = await createAndGetUrl(100_000);
    await new Promise<void>((resolve) => {
      const clientRequest = request(`${address}${url}`, {
        method: 'PATCH',
        headers: {
          ...owner,
          ...TUS_HEADERS,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': '100000',
        },
      });
      clientRequest.on('error', () => resolve());
      clientRequest.write(Buffer.alloc(40_000, 'a'), () => setTimeout(() => clientRequest.destroy(), 100));
    });
    await expect.poll(async () => (await head(url)).headers['upload-offset']).toBe('0');
    await expect
      .poll(async () => (await Array.fromAsync(ctx.storage.list(`incoming/${url.split('/').at(-1)}/`))).length)
      .toBe(0);
  });

  test('is continued by tus-js-client where it was interrupted', async () => {
    const bytes = makeText(400_000);
    const options = {
      endpoint: `${address}${uploadPath}`,
      chunkSize: 100_000,
      headers: owner as Record<string, string>,
      metadata: { filename: '客户端.txt' },
      retryDelays: null,
    };
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        ...options,
        onError: reject,
        onChunkComplete: () => {
          upload.abort();
          resolve(String(upload.url));
        },
      });
      upload.start();
    });
    const id = await new Promise<string | undefined>((resolve, reject) => {
      const upload = new Upload(bytes, {
        ...options,
        uploadUrl: url,
        onError: reject,
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('upload-attachment-id')),
      });
      upload.start();
    });
    const [row] = await ctx.db
      .select()
      .from(attachments)
      .where(eq(attachments.id, Number(id)));
    expect(row?.hash).toBe(sha256(bytes));
  });
});

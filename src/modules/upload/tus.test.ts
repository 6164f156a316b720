import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { eq } from 'drizzle-orm';
import { Upload } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { createUpload, uploadPart } from './resumable.fixture.ts';
import { removeOldUploads } from './resumable-upload.ts';
import { uploads } from './upload.table.ts';

const { app, ctx, clock, folder } = await testApp();
const uploaders = await newRole(ctx, [], { enable_upload: true });
const { headers: owner } = await newMember(ctx, [uploaders]);
const path = '/api/v1/upload/resumable';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const textOf = (length: number) =>
  Buffer.from('续传的文字 resumable\n'.repeat(length / 20) + randomBytes(8).toString('hex'));

const create = (size: number, { name = '大文件.txt', headers = owner } = {}) =>
  app.inject(createUpload(size, name, headers));
const begin = async (size: number) => String((await create(size)).headers.location);
const patch = (url: string, offset: number, payload: Buffer, headers = owner) =>
  app.inject(uploadPart(url, offset, payload, headers));
const head = (url: string, headers = owner) => app.inject({ method: 'HEAD', url, headers });
const parts = async () => (await Array.fromAsync(ctx.storage.list('incoming/'))).length;

test('a file comes in parts and becomes an attachment with the last one', async () => {
  const bytes = textOf(5_000);
  const url = await begin(bytes.length);
  const first = await patch(url, 0, bytes.subarray(0, 2_000));
  expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '2000']);
  expect((await head(url)).headers['upload-offset']).toBe('2000');
  const last = await patch(url, 2_000, bytes.subarray(2_000));
  const id = Number(last.headers['upload-attachment-id']);
  const [row] = await ctx.db.select().from(attachments).where(eq(attachments.id, id));
  expect(row).toMatchObject({ name: '大文件.txt', hash: sha256(bytes), size: bytes.length });
  expect(await ctx.storage.stat(originalKey(sha256(bytes)))).toEqual({ size: bytes.length });
  expect(await parts()).toBe(0);
  // The answer to the last part may have been lost.
  expect((await head(url)).headers['upload-attachment-id']).toBe(String(id));
});

test('a part at the wrong place is refused, and of two equal ones only one counts', async () => {
  const bytes = textOf(3_000);
  const url = await begin(bytes.length);
  expect((await patch(url, 7, bytes.subarray(7))).statusCode).toBe(409);
  const both = await Promise.all([0, 0].map((offset) => patch(url, offset, bytes.subarray(0, 1_000))));
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
  expect((await head(url)).headers['upload-offset']).toBe('1000');
  expect(await parts()).toBe(1);
  await app.inject({ method: 'DELETE', url, headers: owner });
  expect(await parts()).toBe(0);
  expect((await head(url)).statusCode).toBe(404);
});

test('more bytes than announced are refused', async () => {
  const url = await begin(100);
  expect((await patch(url, 0, textOf(4_000))).statusCode).toBe(413);
  expect((await head(url)).headers['upload-offset']).toBe('0');
});

test('an upload of somebody else is not there', async () => {
  const url = await begin(100);
  const { headers } = await newMember(ctx, [uploaders]);
  expect((await head(url, headers)).statusCode).toBe(404);
  expect((await patch(url, 0, Buffer.from('x'), headers)).statusCode).toBe(404);
  expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(404);
});

test('what may not be uploaded is refused before a byte is sent', async () => {
  expect((await create(60 * 1024 * 1024)).json().message).toBe('文件过大，最大允许 50.00 MB');
  expect((await create(10, { name: 'a.exe' })).json().message).toBe('不支持的文档类型：.exe');
  expect((await create(10, { headers: {} as never })).statusCode).toBe(401);
});

test('a file that is not what its name says is refused with the last part, and nothing of it stays', async () => {
  const bytes = textOf(1_000);
  const answer = await create(bytes.length, { name: '假的.pdf' });
  const refused = await patch(String(answer.headers.location), 0, bytes);
  expect(refused.json().message).toBe('文件扩展名是 .pdf，内容却是纯文本');
  expect((await head(String(answer.headers.location))).statusCode).toBe(404);
});

test('an empty file is refused before it is begun', async () => {
  const answer = await create(0);
  expect([answer.statusCode, answer.json().message]).toEqual([422, '文件是空的']);
});

test('a storage that fails for a moment costs nothing of what was sent', async () => {
  const bytes = textOf(3_000);
  const url = await begin(bytes.length);
  await patch(url, 0, bytes.subarray(0, 1_000));
  const incoming = join(folder, 'storage/incoming');
  await rename(incoming, `${incoming}-away`);
  await writeFile(incoming, '');
  const failed = await patch(url, 1_000, bytes.subarray(1_000));
  expect([failed.statusCode, failed.json().message]).toEqual([503, '存储暂时不可用，请稍后重试']);
  await rm(incoming);
  await rename(`${incoming}-away`, incoming);
  expect((await head(url)).headers['upload-offset']).toBe('1000');

  const original = join(folder, 'storage/objects', dirname(originalKey(sha256(bytes))));
  await mkdir(dirname(original), { recursive: true });
  await writeFile(original, '');
  expect((await patch(url, 1_000, bytes.subarray(1_000))).statusCode).toBe(503);
  expect((await head(url)).statusCode).toBe(503);
  await rm(original);
  const finished = await head(url);
  expect([finished.statusCode, finished.headers['upload-attachment-id']]).toEqual([
    200,
    expect.stringMatching(/^\d+$/),
  ]);
});

test('whoever asks while the parts are joined gets the same attachment', async () => {
  const bytes = textOf(3_000);
  const url = await begin(bytes.length);
  const original = join(folder, 'storage/objects', dirname(originalKey(sha256(bytes))));
  await mkdir(dirname(original), { recursive: true });
  await writeFile(original, '');
  await patch(url, 0, bytes);
  await rm(original);
  const answers = await Promise.all([head(url), head(url), head(url)]);
  const ids = answers.map(({ headers }) => headers['upload-attachment-id']);
  expect(new Set(ids)).toEqual(new Set([expect.stringMatching(/^\d+$/)]));
  const made = await ctx.db
    .select()
    .from(attachments)
    .where(eq(attachments.hash, sha256(bytes)));
  expect(made).toHaveLength(1);
});

test('an upload is to be sent again once its attachment is gone', async () => {
  const bytes = textOf(1_000);
  const url = await begin(bytes.length);
  const id = Number((await patch(url, 0, bytes)).headers['upload-attachment-id']);
  await ctx.db.delete(attachments).where(eq(attachments.id, id));
  expect((await head(url)).statusCode).toBe(404);
});

test('the list names what is unfinished, and each answer tells how long it is kept', async () => {
  const bytes = textOf(1_000);
  const finished = await begin(bytes.length);
  await patch(finished, 0, bytes);
  const open = await create(bytes.length);
  expect(Date.parse(String(open.headers['upload-expires'])) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const list = await app.inject({ url: '/api/v1/upload/list', headers: owner });
  const ids = list.json().upload.map(({ id }: { id: string }) => id);
  expect(ids).toContain(String(open.headers.location).split('/').at(-1));
  expect(ids).not.toContain(finished.split('/').at(-1));
});

test('uploads nobody went on with are removed after a day', async () => {
  const url = await begin(100);
  await patch(url, 0, Buffer.from('abc'));
  const id = url.split('/').at(-1) ?? '';
  await ctx.db.update(uploads).set({ updated_at: clock.now.toISOString() }).where(eq(uploads.id, id));
  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000);
  const attempt = { signal: new AbortController().signal, attempt: 1 };
  await removeOldUploads.run(ctx, {}, attempt);
  expect(await ctx.db.select().from(uploads).where(eq(uploads.id, id))).toEqual([]);
});

describe('over a real connection', () => {
  let address = '';
  beforeAll(async () => {
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  test('a connection that breaks off leaves the upload where it was', async () => {
    const url = await begin(100_000);
    await new Promise<void>((resolve) => {
      const sending = request(`${address}${url}`, {
        method: 'PATCH',
        headers: {
          ...owner,
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': '100000',
        },
      });
      sending.on('error', () => resolve());
      sending.write(Buffer.alloc(40_000, 'a'), () => setTimeout(() => sending.destroy(), 100));
    });
    await expect.poll(async () => (await head(url)).headers['upload-offset']).toBe('0');
    await expect
      .poll(async () => (await Array.fromAsync(ctx.storage.list(`incoming/${url.split('/').at(-1)}/`))).length)
      .toBe(0);
  });

  test('the usual client goes on where it was interrupted', async () => {
    const bytes = textOf(400_000);
    const options = {
      endpoint: `${address}${path}`,
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

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { testApp } from '#testing/test-app.ts';
import {
  cancelUploadRequest,
  createUploadRequest,
  TUS_HEADERS,
  uploadPartRequest,
  uploadStatusRequest,
} from './resumable.fixture.ts';
import { deleteExpiredUploads } from './resumable-upload.ts';
import { uploadReservations } from './upload.table.ts';

const { app, ctx, as, folder } = await testApp();
const uploaderRole = await newRole(ctx, [], { enable_upload: true });
const MB = 1024 * 1024;
type Headers = { authorization?: string };

const createUpload = (size: number, headers: Headers) => app.inject(createUploadRequest(size, '大.txt', headers));
const makeText = (bytes: number) => `${randomBytes(8).toString('hex')}${'字'.repeat(bytes / 3)}`;
const send = (content: string, headers: Headers) => {
  const form = new FormData();
  form.append('file', new Blob([content]), '文件.txt');
  return app.inject({ method: 'POST', url: '/api/v1/upload/document', headers, payload: form });
};

afterEach(async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '0');
  await setSetting(ctx, 'security.max_user_storage', '0');
  await setSetting(ctx, 'security.max_document_size', '50');
});

test('concurrent new uploads of one user stay within the limit of open uploads', async () => {
  await setSetting(ctx, 'security.max_document_size', '5');
  await setSetting(ctx, 'security.max_open_upload_size', '10');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const responses = await Promise.all(Array.from({ length: 6 }, () => createUpload(3 * MB, headers)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 413, 413, 413]);
  const rejectedResponse = responses.find(({ statusCode }) => statusCode === 413);
  expect(rejectedResponse?.json()).toMatchObject({
    code: 'upload.quotaReached',
    message: '未完成的上传已达到 10.00 MB 的上限，请先完成或取消它们',
  });
  const otherMember = await newMember(ctx, [uploaderRole]);
  expect((await createUpload(3 * MB, otherMember.headers)).statusCode).toBe(201);
});

test('a file of the largest permitted size is accepted when the limit of open uploads is smaller', async () => {
  await setSetting(ctx, 'security.max_open_upload_size', '1');
  await setSetting(ctx, 'security.max_document_size', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  expect((await createUpload(2 * MB, headers)).statusCode).toBe(201);
  expect((await createUpload(MB, headers)).json().message).toBe(
    '未完成的上传已达到 2.00 MB 的上限，请先完成或取消它们',
  );
});

test('the files of one user stay within the storage limit for both upload methods', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const content = makeText(1.5 * MB);
  expect((await send(content, headers)).statusCode).toBe(200);
  // The same file counts once.
  expect((await send(content, headers)).statusCode).toBe(200);
  const second = await send(makeText(MB), headers);
  expect([second.statusCode, second.json().message]).toEqual([
    413,
    '您上传的文件已达到 2.00 MB 的上限，请删除不需要的文档并清空回收站后再试',
  ]);
  expect((await createUpload(MB, headers)).statusCode).toBe(413);
  expect((await createUpload(1_000, headers)).statusCode).toBe(201);
});

test('a complete upload that exceeds the storage limit is kept and finished when there is room', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const content = Buffer.from(makeText(MB));
  const url = String((await createUpload(content.length, headers)).headers.location);
  expect((await send(makeText(1.5 * MB), headers)).statusCode).toBe(200);
  const rejectedPart = await app.inject(uploadPartRequest(url, 0, content, headers));
  expect([rejectedPart.statusCode, rejectedPart.json().code]).toEqual([413, 'file.quotaReached']);
  await setSetting(ctx, 'security.max_user_storage', '3');
  const status = await app.inject(uploadStatusRequest(url, headers));
  expect(status.statusCode).toBe(200);
  expect(Number(status.headers['upload-attachment-id'])).toBeGreaterThan(0);
});

test('concurrent uploads of one user do not exceed the storage limit together', async () => {
  await setSetting(ctx, 'security.max_user_storage', '2');
  const { headers } = await newMember(ctx, [uploaderRole]);
  const responses = await Promise.all(Array.from({ length: 4 }, () => send(makeText(0.9 * MB), headers)));
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 200, 413, 413]);
});

test('the storage limit does not apply to the root user, and 0 means no limit', async () => {
  await setSetting(ctx, 'security.max_user_storage', '1');
  expect((await send(makeText(1.5 * MB), await as.root())).statusCode).toBe(200);
  await setSetting(ctx, 'security.max_user_storage', '0');
  const { headers } = await newMember(ctx, [uploaderRole]);
  expect((await send(makeText(1.5 * MB), headers)).statusCode).toBe(200);
});

test('the reservation of a killed process expires and is deleted', async () => {
  await setSetting(ctx, 'security.max_document_size', '4');
  await setSetting(ctx, 'security.max_open_upload_size', '4');
  const { id: user_id, headers } = await newMember(ctx, [uploaderRole]);
  const reserve = (expires_at: string) =>
    ctx.db
      .insert(uploadReservations)
      .values({ id: randomUUID(), user_id, size: 3 * MB, expires_at: sql`now() + ${expires_at}::interval` });
  await reserve('1 minute');
  expect((await createUpload(2 * MB, headers)).statusCode).toBe(413);
  await ctx.db.delete(uploadReservations);
  await reserve('-1 second');
  expect((await createUpload(2 * MB, headers)).statusCode).toBe(201);
  await deleteExpiredUploads.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });
  expect(await countRows(ctx.db, uploadReservations)).toBe(0);
});

describe('concurrent requests that do not finish', () => {
  let address = '';
  beforeAll(async () => {
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  type OpenRequest = { client: ClientRequest; response: Promise<IncomingMessage> };
  /** Announces 1 kB more than it sends, so that the server waits for the rest. */
  function sendWithoutEnd(method: string, path: string, headers: Record<string, string>, body: Buffer): OpenRequest {
    const client = request(`${address}${path}`, {
      method,
      headers: { ...headers, 'content-length': body.length + 1_000 },
    });
    client.on('error', () => {});
    const response = once(client, 'response').then(([message]) => message as IncomingMessage);
    response.catch(() => {});
    client.write(body);
    return { client, response };
  }
  const readRejection = async ({ response }: OpenRequest) => {
    const message = await response;
    return `${message.statusCode} ${JSON.parse(await text(message)).code}`;
  };
  /** The first `count` responses. The other requests stay open. */
  async function firstRejections(openRequests: OpenRequest[], count: number): Promise<string[]> {
    const rejections: string[] = [];
    for (const openRequest of openRequests)
      void readRejection(openRequest).then(
        (each) => rejections.push(each),
        () => {},
      );
    await expect.poll(() => rejections.length).toBe(count);
    return rejections;
  }
  async function countBytes(path: string): Promise<number> {
    const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true }).catch(() => []);
    const sizes = entries.map(async (entry) =>
      entry.isFile() ? (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size : 0,
    );
    return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  }

  test('a part is rejected with 423 while another part of the same upload is received', async () => {
    await setSetting(ctx, 'security.max_document_size', '5');
    await setSetting(ctx, 'security.max_open_upload_size', '5');
    const { headers } = await newMember(ctx, [uploaderRole]);
    const url = String((await createUpload(5 * MB, headers)).headers.location);
    const bytes = Buffer.alloc(4 * MB, 'a');
    const partHeaders = {
      ...headers,
      ...TUS_HEADERS,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const openRequests = Array.from({ length: 6 }, () => sendWithoutEnd('PATCH', url, partHeaders, bytes));
    expect(await firstRejections(openRequests, 5)).toEqual(Array(5).fill('423 upload.locked'));
    await expect.poll(() => countBytes('storage/incoming')).toBe(bytes.length);
    const cancelResponse = await app.inject(cancelUploadRequest(url, headers));
    expect([cancelResponse.statusCode, cancelResponse.json().code]).toEqual([423, 'upload.locked']);

    for (const { client } of openRequests) client.destroy();
    await expect.poll(() => countBytes('storage/incoming')).toBe(0);
    const part = uploadPartRequest(url, 0, bytes, headers);
    await expect.poll(async () => (await app.inject(part)).statusCode).toBe(204);
    expect((await app.inject(cancelUploadRequest(url, headers))).statusCode).toBe(204);
    expect(await countBytes('storage/objects/incoming')).toBe(0);
  });

  test('uploads in one request are rejected with 413 before their bytes exceed the limit of open uploads', async () => {
    await setSetting(ctx, 'security.max_document_size', '4');
    await setSetting(ctx, 'security.max_open_upload_size', '10');
    const { headers } = await newMember(ctx, [uploaderRole]);
    const head = 'content-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain';
    const body = Buffer.concat([Buffer.from(`--xyz\r\n${head}\r\n\r\n`), Buffer.alloc(3 * MB, 'a')]);
    const formHeaders = { ...headers, 'content-type': 'multipart/form-data; boundary=xyz' };
    const openRequests = Array.from({ length: 8 }, () =>
      sendWithoutEnd('POST', '/api/v1/upload/document', formHeaders, body),
    );
    expect(await firstRejections(openRequests, 5)).toEqual(Array(5).fill('413 upload.quotaReached'));
    await expect.poll(() => countBytes('tmp')).toBeGreaterThan(8 * MB);
    expect(await countBytes('tmp')).toBeLessThanOrEqual(10 * MB);
    expect((await createUpload(2 * MB, headers)).statusCode).toBe(413);

    for (const { client } of openRequests) client.destroy();
    await expect.poll(() => countRows(ctx.db, uploadReservations)).toBe(0);
    expect(await countBytes('tmp')).toBe(0);
    expect((await send(makeText(3 * MB), headers)).statusCode).toBe(200);
    expect(await countRows(ctx.db, uploadReservations)).toBe(0);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import {
  cancelUploadRequest,
  createUploadRequest,
  TUS_HEADERS,
  uploadPartRequest,
  uploadStatusRequest,
} from './resumable.fixture.ts';

const { app, ctx } = await testApp();
const { headers: owner } = await newMember(ctx, [await newRole(ctx, [], { enable_upload: true })]);
const uploadPath = '/api/v1/upload/resumable';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const makeText = (length: number) => Buffer.from('一行文字 '.repeat(length / 14) + randomBytes(8).toString('hex'));
const createAndGetUrl = async (size: number) =>
  String((await app.inject(createUploadRequest(size, '文件.txt', owner))).headers.location);
const patch = (url: string, offset: number, payload: Buffer) =>
  app.inject(uploadPartRequest(url, offset, payload, owner));
const head = (url: string) => app.inject(uploadStatusRequest(url, owner));
const cancel = (url: string) => app.inject(cancelUploadRequest(url, owner));
const countParts = async () => (await Array.fromAsync(ctx.storage.list('incoming/'))).length;

test('a request with a wrong or no protocol version is rejected with 412 and changes nothing', async () => {
  const url = await createAndGetUrl(3);
  for (const version of ['0.2.2', '']) {
    const { headers, ...request } = uploadPartRequest(url, 0, Buffer.from('abc'), owner);
    const response = await app.inject({ ...request, headers: { ...headers, 'tus-resumable': version } });
    expect([response.statusCode, response.headers['tus-version'], response.json().message]).toEqual([
      412,
      '1.0.0',
      '上传协议的版本不受支持，请使用 tus 1.0.0',
    ]);
  }
  expect((await head(url)).headers['upload-offset']).toBe('0');
});

test('OPTIONS names the version, the extensions and the checksum algorithms', async () => {
  const url = await createAndGetUrl(3);
  for (const target of [uploadPath, url]) {
    const response = await app.inject({ method: 'OPTIONS', url: target });
    expect(response.statusCode).toBe(204);
    expect(response.headers).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,termination,expiration,checksum',
      'tus-checksum-algorithm': 'sha1,sha256,md5',
    });
  }
});

test('responses grant no other origin access to uploads', async () => {
  const url = await createAndGetUrl(3);
  const { headers, ...request } = uploadStatusRequest(url, owner);
  const response = await app.inject({ ...request, headers: { ...headers, origin: 'https://example.org' } });
  expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('a part with a wrong checksum is rejected with 460 and discarded, and a right one is stored', async () => {
  const bytes = makeText(1_000);
  const url = await createAndGetUrl(bytes.length);
  const sendWithChecksum = (checksum: string) => {
    const { headers, ...request } = uploadPartRequest(url, 0, bytes, owner);
    return app.inject({ ...request, headers: { ...headers, 'upload-checksum': checksum } });
  };
  const digest = (algorithm: string, content: Buffer) =>
    `${algorithm} ${createHash(algorithm).update(content).digest('base64')}`;
  const damagedResponse = await sendWithChecksum(digest('sha1', Buffer.from('x')));
  expect([damagedResponse.statusCode, damagedResponse.json().message]).toEqual([
    460,
    '文件在传送中损坏，请重新上传这一部分',
  ]);
  expect((await head(url)).headers['upload-offset']).toBe('0');
  expect(await countParts()).toBe(0);
  const unsupportedResponse = await sendWithChecksum(digest('sha512', bytes));
  expect([unsupportedResponse.statusCode, unsupportedResponse.json().message]).toEqual([400, '不支持的校验算法']);
  const storedResponse = await sendWithChecksum(digest('sha256', bytes));
  expect([storedResponse.statusCode, storedResponse.headers['upload-offset']]).toEqual([204, String(bytes.length)]);
});

test('DELETE ends an open and a finished upload, and a later request is answered with 404', async () => {
  const bytes = makeText(1_000);
  const [openUrl, finishedUrl] = [await createAndGetUrl(bytes.length), await createAndGetUrl(bytes.length)];
  await patch(openUrl, 0, bytes.subarray(0, 100));
  await patch(finishedUrl, 0, bytes);
  for (const url of [openUrl, finishedUrl]) {
    expect((await cancel(url)).statusCode).toBe(204);
    expect((await cancel(url)).statusCode).toBe(404);
    expect((await patch(url, 0, bytes)).statusCode).toBe(404);
  }
  expect(await countParts()).toBe(0);
  const rows = await ctx.db
    .select()
    .from(attachments)
    .where(eq(attachments.hash, sha256(bytes)));
  // The file was not published.
  expect(rows).toEqual([]);
});

test.each([
  ['upload-length', '1e3', '请求头 upload-length 不正确'],
  ['upload-defer-length', '1', '请求格式不正确'],
  ['upload-metadata', 'filename *', '请求头 upload-metadata 不正确'],
])('a new upload with the header %s: %s is rejected with 400 in Chinese', async (name, value, message) => {
  const { headers, ...request } = createUploadRequest(100, 'a.txt', owner);
  const response = await app.inject({ ...request, headers: { ...headers, [name]: value } });
  expect([response.statusCode, response.json().message]).toEqual([400, message]);
});

test('a part of another content type is rejected with 415', async () => {
  const url = await createAndGetUrl(3);
  const { headers, ...request } = uploadPartRequest(url, 0, Buffer.from('{}'), owner);
  const response = await app.inject({ ...request, headers: { ...headers, 'content-type': 'application/json' } });
  expect(response.statusCode).toBe(415);
});

test('a part of unknown length that is too long is answered with 413, and the connection stays usable', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = await createAndGetUrl(100_000);
  const sendPart = async (chunks: Buffer[]) => {
    const headers = {
      ...owner,
      ...TUS_HEADERS,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    };
    const clientRequest = request(`${address}${url}`, { method: 'PATCH', agent, headers });
    for (const chunk of chunks) clientRequest.write(chunk);
    clientRequest.end();
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.statusCode;
  };
  expect(await sendPart(Array(40).fill(Buffer.alloc(50_000, 'a')))).toBe(413);
  expect((await head(url)).headers['upload-offset']).toBe('0');
  expect(await sendPart([Buffer.alloc(10_000, 'a'), Buffer.alloc(10_000, 'a')])).toBe(204);
  expect((await head(url)).headers['upload-offset']).toBe('20000');
  agent.destroy();
  await app.close();
});

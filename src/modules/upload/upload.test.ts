import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { multipartForm } from '#modules/attachment/picture.fixture.ts';
import { spreadsheetMl, wordMl } from '#modules/conversion/markup.fixture.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, as, folder } = await testApp();
const uploaderRole = await newRole(ctx, [], { enable_upload: true });
const { id: ownerId, headers: owner } = await newMember(ctx, [uploaderRole]);

const makeText = (length: number) =>
  Buffer.from(`${'一行文字 a line\n'.repeat(length / 20)}${randomBytes(8).toString('hex')}`);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function send(bytes: Buffer, { name = '说明.txt', headers = owner as { authorization?: string } } = {}) {
  const { payload, contentType } = multipartForm(bytes, name, 'file');
  return app.inject({
    method: 'POST',
    url: '/api/v1/upload/document',
    headers: { ...headers, 'content-type': contentType },
    payload,
  });
}
const post = (path: string, payload: object, headers = owner) =>
  app.inject({ method: 'POST', url: `/api/v1/upload/${path}`, headers, payload });
const listTemporaryFiles = () => readdir(join(folder, 'tmp')).catch(() => []);
const findAttachment = async (id: number) => (await ctx.db.select().from(attachments).where(eq(attachments.id, id)))[0];

afterEach(async () => {
  expect(await listTemporaryFiles()).toEqual([]);
});

describe('a document upload in one request', () => {
  test('creates an attachment and stores equal bytes once under their hash', async () => {
    const bytes = makeText(400);
    const first = await send(bytes, { name: '第一份.txt' });
    expect(first.json()).toEqual({ code: 200, message: 'ok', data: { id: expect.any(Number) } });
    const second = await send(bytes, { name: '第二份.txt' });
    expect(second.json().data.id).not.toBe(first.json().data.id);
    const row = await findAttachment(first.json().data.id);
    expect(row).toMatchObject({
      name: '第一份.txt',
      ext: '.txt',
      type: 2,
      type_id: 0,
      size: bytes.length,
    });
    expect(row).toMatchObject({ user_id: ownerId, hash: sha256(bytes), enable: true });
    expect(await ctx.storage.stat(originalKey(sha256(bytes)))).toEqual({ size: bytes.length });
  });

  test.each([
    ['程序.exe', '不支持的文档类型：.exe', 415],
    ['没有扩展名', '文件没有扩展名，无法识别文档类型', 415],
    ['报告.docx', '文件扩展名是 .docx，内容却是纯文本', 422],
    ['书.pdf', '文件扩展名是 .pdf，内容却是纯文本', 422],
    ['data.xml', '文件扩展名是 .xml，内容却是纯文本', 422],
  ])('rejects %s: %s', async (name, message, status) => {
    const response = await send(makeText(100), { name });
    expect([response.statusCode, response.json().message]).toEqual([status, message]);
  });

  test('rejects an empty file', async () => {
    expect((await send(Buffer.alloc(0))).json().message).toBe('文件是空的');
  });

  test('rejects a file above the size limit while it is received', async () => {
    await setSetting(ctx, 'security.max_document_size', '1');
    const response = await send(makeText(3 * 1024 * 1024));
    expect(response.statusCode).toBe(413);
    expect(response.json().message).toBe('文件过大，最大允许 1.00 MB');
    await setSetting(ctx, 'security.max_document_size', '50');
  });

  test('rejects a file type that the settings do not allow', async () => {
    await setSetting(ctx, 'security.document_allowed_ext', '.pdf');
    expect((await send(makeText(100))).json().message).toBe('不支持的文档类型：.txt');
    await setSetting(ctx, 'security.document_allowed_ext', '');
  });

  test('stores a .xml file under the extension of its content, if the settings allow it', async () => {
    const store = async (xml: string) => {
      const response = await send(Buffer.from(xml), { name: '报表.xml' });
      return response.statusCode === 200
        ? (await findAttachment(response.json().data.id))?.ext
        : response.json().message;
    };
    expect([await store(spreadsheetMl()), await store(wordMl('甲'))]).toEqual(['.xls', '.doc']);
    await setSetting(ctx, 'security.document_allowed_ext', '.doc');
    expect([await store(spreadsheetMl()), await store(wordMl('甲'))]).toEqual([
      '不支持的文档类型：.xml（Excel 2003 XML）',
      '.doc',
    ]);
    await setSetting(ctx, 'security.document_allowed_ext', '');
  });

  test('rejects visitors with 401 and users without the permission with 403', async () => {
    expect((await send(makeText(100), { headers: as.visitor })).statusCode).toBe(401);
    const { headers } = await newMember(ctx, [await newRole(ctx)]);
    const response = await send(makeText(100), { headers });
    expect([response.statusCode, response.json().message]).toEqual([403, '您没有上传文档的权限']);
  });

  test('rejects a file that is marked illegal', async () => {
    const bytes = makeText(200);
    const { id } = (await send(bytes)).json().data;
    await ctx.db.update(attachments).set({ enable: false }).where(eq(attachments.id, id));
    expect((await send(bytes)).json().message).toBe('文件已被标记为非法文件，禁止上传');
  });
});

describe('an instant upload', () => {
  const check = (bytes: Buffer, name = '同一份.txt') =>
    post('check', { name, hash: sha256(bytes), size: bytes.length });
  const computeProof = (bytes: Buffer, { nonce, ranges }: { nonce: string; ranges: [number, number][] }) => {
    const hash = createHash('sha256').update(nonce);
    for (const [start, length] of ranges) hash.update(bytes.subarray(start, start + length));
    return hash.digest('hex');
  };

  test('offers no challenge for a file that the site does not have', async () => {
    expect((await check(makeText(300))).json()).toEqual({ challenge: null });
  });

  test('rejects a file that is marked illegal before it is sent', async () => {
    const bytes = makeText(300);
    const { id } = (await send(bytes)).json().data;
    await ctx.db.update(attachments).set({ enable: false }).where(eq(attachments.id, id));
    expect((await check(bytes)).json().message).toBe('文件已被标记为非法文件，禁止上传');
  });

  test('is answered with 404 when the stored file was deleted after the challenge', async () => {
    const bytes = makeText(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    await ctx.storage.delete(originalKey(sha256(bytes)));
    const proof = computeProof(bytes, challenge);
    expect((await post('instant', { id: challenge.id, proof })).statusCode).toBe(404);
  });

  test('creates an attachment of the stored file for a correct proof', async () => {
    const bytes = makeText(50_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const response = await post('instant', { id: challenge.id, proof: computeProof(bytes, challenge) });
    expect(await findAttachment(response.json().id)).toMatchObject({
      hash: sha256(bytes),
      name: '同一份.txt',
    });
  });

  test('rejects a proof that only contains the hash, and accepts no second answer to a challenge', async () => {
    const bytes = makeText(50_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const guessResponse = await post('instant', { id: challenge.id, proof: sha256(bytes) });
    expect([guessResponse.statusCode, guessResponse.json().message]).toEqual([422, '文件校验没有通过，请直接上传']);
    const proof = computeProof(bytes, challenge);
    expect((await post('instant', { id: challenge.id, proof })).statusCode).toBe(404);
  });

  test('is answered with 404 for the challenge of another user', async () => {
    const bytes = makeText(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const { headers } = await newMember(ctx, [uploaderRole]);
    const proof = computeProof(bytes, challenge);
    expect((await post('instant', { id: challenge.id, proof }, headers)).statusCode).toBe(404);
  });

  test('stores a .xml file under the extension of its content', async () => {
    const bytes = Buffer.from(spreadsheetMl('UTF-8', '秒传'));
    await send(bytes, { name: '报表.xls' });
    const { challenge } = (await check(bytes, '报表.xml')).json();
    const response = await post('instant', { id: challenge.id, proof: computeProof(bytes, challenge) });
    expect((await findAttachment(response.json().id))?.ext).toBe('.xls');
  });

  test('rejects a file name whose extension contradicts the content', async () => {
    const bytes = makeText(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes, '改名.pdf')).json();
    const response = await post('instant', { id: challenge.id, proof: computeProof(bytes, challenge) });
    expect(response.json().message).toBe('文件扩展名是 .pdf，内容却是纯文本');
  });
});

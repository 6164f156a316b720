import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { fileForm } from '#modules/attachment/picture.fixture.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, as, folder } = await testApp();
const uploaders = await newRole(ctx, [], { enable_upload: true });
const { id: ownerId, headers: owner } = await newMember(ctx, [uploaders]);

const textOf = (length: number) =>
  Buffer.from(`${'一行文字 a line\n'.repeat(length / 20)}${randomBytes(8).toString('hex')}`);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function send(bytes: Buffer, { name = '说明.txt', headers = owner as { authorization?: string } } = {}) {
  const { payload, contentType } = fileForm(bytes, name, 'file');
  return app.inject({
    method: 'POST',
    url: '/api/v1/upload/document',
    headers: { ...headers, 'content-type': contentType },
    payload,
  });
}
const ask = (path: string, payload: object, headers = owner) =>
  app.inject({ method: 'POST', url: `/api/v1/upload/${path}`, headers, payload });
const temporary = () => readdir(join(folder, 'tmp')).catch(() => []);
const attachment = async (id: number) => (await ctx.db.select().from(attachments).where(eq(attachments.id, id)))[0];

afterEach(async () => {
  expect(await temporary()).toEqual([]);
});

describe('in one request', () => {
  test('a document becomes an attachment, and its bytes are stored once under their hash', async () => {
    const bytes = textOf(400);
    const first = await send(bytes, { name: '第一份.txt' });
    expect(first.json()).toEqual({ code: 200, message: 'ok', data: { id: expect.any(Number) } });
    const second = await send(bytes, { name: '第二份.txt' });
    expect(second.json().data.id).not.toBe(first.json().data.id);
    const row = await attachment(first.json().data.id);
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
  ])('%s is refused: %s', async (name, message, status) => {
    const answer = await send(textOf(100), { name });
    expect([answer.statusCode, answer.json().message]).toEqual([status, message]);
  });

  test('an empty file is refused', async () => {
    expect((await send(Buffer.alloc(0))).json().message).toBe('文件是空的');
  });

  test('a file past the limit of the settings is cut off while it comes in', async () => {
    await setSetting(ctx, 'security.max_document_size', '1');
    const answer = await send(textOf(3 * 1024 * 1024));
    expect(answer.statusCode).toBe(413);
    expect(answer.json().message).toBe('文件过大，最大允许 1.00 MB');
    await setSetting(ctx, 'security.max_document_size', '50');
  });

  test('only the types the settings name are taken', async () => {
    await setSetting(ctx, 'security.document_allowed_ext', '.pdf');
    expect((await send(textOf(100))).json().message).toBe('不支持的文档类型：.txt');
    await setSetting(ctx, 'security.document_allowed_ext', '');
  });

  test('whoever may not upload is told so', async () => {
    expect((await send(textOf(100), { headers: as.visitor })).statusCode).toBe(401);
    const { headers } = await newMember(ctx, [await newRole(ctx)]);
    const answer = await send(textOf(100), { headers });
    expect([answer.statusCode, answer.json().message]).toEqual([403, '您没有上传文档的权限']);
  });

  test('a file marked illegal is refused from then on', async () => {
    const bytes = textOf(200);
    const { id } = (await send(bytes)).json().data;
    await ctx.db.update(attachments).set({ enable: false }).where(eq(attachments.id, id));
    expect((await send(bytes)).json().message).toBe('文件已被标记为非法文件，禁止上传');
  });
});

describe('without sending what the site has', () => {
  const check = (bytes: Buffer, name = '同一份.txt') => ask('check', { name, hash: sha256(bytes), size: bytes.length });
  const proofOf = (bytes: Buffer, { nonce, ranges }: { nonce: string; ranges: [number, number][] }) => {
    const hash = createHash('sha256').update(nonce);
    for (const [start, length] of ranges) hash.update(bytes.subarray(start, start + length));
    return hash.digest('hex');
  };

  test('a file the site does not have must be sent', async () => {
    expect((await check(textOf(300))).json()).toEqual({ challenge: null });
  });

  test('a file marked illegal is refused before it is sent', async () => {
    const bytes = textOf(300);
    const { id } = (await send(bytes)).json().data;
    await ctx.db.update(attachments).set({ enable: false }).where(eq(attachments.id, id));
    expect((await check(bytes)).json().message).toBe('文件已被标记为非法文件，禁止上传');
  });

  test('a known file that vanished meanwhile must be sent', async () => {
    const bytes = textOf(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    await ctx.storage.delete(originalKey(sha256(bytes)));
    const proof = proofOf(bytes, challenge);
    expect((await ask('instant', { id: challenge.id, proof })).statusCode).toBe(404);
  });

  test('whoever has the bytes gets an attachment of the known file', async () => {
    const bytes = textOf(50_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const answer = await ask('instant', { id: challenge.id, proof: proofOf(bytes, challenge) });
    expect(await attachment(answer.json().id)).toMatchObject({
      hash: sha256(bytes),
      name: '同一份.txt',
    });
  });

  test('who knows but the hash gets nothing, and a question is answered once', async () => {
    const bytes = textOf(50_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const guessed = await ask('instant', { id: challenge.id, proof: sha256(bytes) });
    expect([guessed.statusCode, guessed.json().message]).toEqual([422, '文件校验没有通过，请直接上传']);
    const proof = proofOf(bytes, challenge);
    expect((await ask('instant', { id: challenge.id, proof })).statusCode).toBe(404);
  });

  test('a question of somebody else is not there', async () => {
    const bytes = textOf(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes)).json();
    const { headers } = await newMember(ctx, [uploaders]);
    const proof = proofOf(bytes, challenge);
    expect((await ask('instant', { id: challenge.id, proof }, headers)).statusCode).toBe(404);
  });

  test('the name must still fit the content', async () => {
    const bytes = textOf(5_000);
    await send(bytes);
    const { challenge } = (await check(bytes, '改名.pdf')).json();
    const answer = await ask('instant', { id: challenge.id, proof: proofOf(bytes, challenge) });
    expect(answer.json().message).toBe('文件扩展名是 .pdf，内容却是纯文本');
  });
});

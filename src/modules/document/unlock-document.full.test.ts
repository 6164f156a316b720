import officeCrypto from 'officecrypto-tool';
import { describe, expect, test, vi } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { storeDecryptedCopy } from '#modules/conversion/decrypted-copy.ts';
import { blobPrefix, originalKey } from '#modules/conversion/rendition-keys.ts';
import { makeWorkbook } from '#modules/conversion/workbook.fixture.ts';
import { newMember, newRole, newStaff } from '#modules/role/role.fixture.ts';
import type { UserContext } from '#platform/server/context.ts';
import { testApp } from '#testing/test-app.ts';
import { addDocument, createCategoryChain, newUploader } from './document.fixture.ts';
import { addEncryptedDocument, FILE_PASSWORD, makeEncryptedEpub, makePasswordPdf } from './failed-document.fixture.ts';
import { eraseExpiredFiles } from './recycle/erase-expired-files.ts';
import { unlockDocument } from './unlock-document.ts';

const { app, ctx, as, pool, clock } = await testApp({ runJobs: true, conversions: 'real' });
type Headers = { authorization?: string };

const unlock = (id: number, headers: Headers, password = FILE_PASSWORD) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/document/unlock',
    headers,
    payload: { id, password },
  });
const get = async (path: string, headers: Headers) => (await app.inject({ url: `/api/v1${path}`, headers })).json();
const rowOf = async (id: number) =>
  (await pool.query('select status, rendition_id::int, format from documents where id = $1', [id])).rows[0];
const hashOf = async (renditionId: number): Promise<string> =>
  (await pool.query('select hash from renditions where id = $1', [renditionId])).rows[0]?.hash;
const storedUnder = async (hash: string) => (await Array.fromAsync(ctx.storage.list(blobPrefix(hash)))).length;

async function expectReadable(id: number, headers: Headers): Promise<void> {
  expect(await waitForRendition(ctx, (await rowOf(id)).rendition_id)).toMatchObject({ state: 'ready' });
  expect(await get(`/document?id=${id}`, headers)).toMatchObject({
    status: 2,
    pages: 1,
    convert_error: '',
    encryption: 'none',
  });
}

describe('the encryption of a failed document', () => {
  test('is reported to its owner and to administrators who may edit it, not to others', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const reports = async (headers: Headers) => {
      const { document } = await get(`/document/progress?id=${id}`, headers);
      const { encryption, convert_error } = await get(`/document?id=${id}`, headers);
      return { progress: document[0].encryption, row: encryption, convert_error };
    };
    const unlockableFields = { progress: 'unlockable', row: 'unlockable', convert_error: '文档已加密' };
    expect(await reports(owner.headers)).toEqual(unlockableFields);
    expect(await reports(await as.root())).toEqual(unlockableFields);
    const hiddenFields = { progress: 'none', row: 'none', convert_error: '' };
    expect(await reports(as.visitor)).toEqual(hiddenFields);
    expect(await reports(await as.user())).toEqual(hiddenFields);
    const reader = await as.userWith(['DocumentAPI/ListDocument']);
    expect(await reports(reader)).toEqual({ ...hiddenFields, convert_error: '文档已加密' });
    const { document } = await get(`/document/list?user_id=${owner.id}`, owner.headers);
    expect(document).toMatchObject([{ id, encryption: 'unlockable' }]);
  });

  test('is reported as unsupported for an EPUB file, which cannot be unlocked', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner, { bytes: makeEncryptedEpub(), ext: '.epub' });
    expect((await get(`/document?id=${id}`, owner.headers)).encryption).toBe('unsupported');
    const answer = await unlock(id, owner.headers);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().message).toBe('暂不支持解锁这种格式的文件，请去掉密码后替换文件');
  });
});

describe('unlocking a document', () => {
  test('makes a document readable when its owner sends the right password', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const { rendition_id } = await rowOf(id);
    const answer = await unlock(id, owner.headers);
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    await expectReadable(id, as.visitor);
    expect(await hashOf(rendition_id)).toBeUndefined();
  });

  test('changes nothing when the document gets another file while its old one is decrypted', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const otherRow = await rowOf(await addEncryptedDocument(ctx, owner));
    const put = ctx.storage.put.bind(ctx.storage);
    const putSpy = vi.spyOn(ctx.storage, 'put').mockImplementationOnce(async (...args) => {
      const values = [id, otherRow.rendition_id];
      await pool.query('update documents set rendition_id = $2 where id = $1', values);
      return put(...args);
    });
    expect((await unlock(id, owner.headers)).statusCode).toBe(409);
    expect(putSpy).toHaveBeenCalled();
    expect(await rowOf(id)).toEqual(otherRow);
    putSpy.mockRestore();
  });

  test('makes an encrypted workbook readable under the format of its content', async () => {
    const owner = await newUploader(ctx);
    const plainWorkbook = makeWorkbook('xlsx', [{ name: '表', rows: [['一', '二']] }]);
    const bytes = officeCrypto.encrypt(plainWorkbook, { password: FILE_PASSWORD, type: 'standard' });
    const id = await addEncryptedDocument(ctx, owner, { bytes, ext: '.xls' });
    expect((await unlock(id, owner.headers)).statusCode).toBe(200);
    await expectReadable(id, as.visitor);
    expect(await rowOf(id)).toMatchObject({ format: 'xlsx' });
  });

  test('by an administrator works for documents of others and is recorded in the audit log', async () => {
    const id = await addEncryptedDocument(ctx, await newUploader(ctx), { title: '加密的合同' });
    const administrator = await newStaff(ctx, ['DocumentAPI/UpdateDocument']);
    expect((await unlock(id, administrator.headers)).statusCode).toBe(200);
    await expectReadable(id, as.visitor);
    const { rows } = await pool.query(
      "select user_id::int, target, before, after from audit_logs where action = '解锁文档'",
    );
    expect(rows).toEqual([{ user_id: administrator.id, target: `文档 ${id} 加密的合同`, before: null, after: null }]);
  });

  test('continues after a 503 response when decryption takes longer than the response limit', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const user = { id: owner.id, username: owner.username, permissions: new Set<string>() };
    const ownerCtx = { ...ctx, user } as unknown as UserContext;
    const error = { status: 503, message: '服务器繁忙，文档仍在解锁，请稍后刷新页面', retryAfter: 10 };
    await expect(unlockDocument(ownerCtx, { id, password: FILE_PASSWORD }, 1)).rejects.toMatchObject(error);
    const repeatedAnswer = await unlock(id, owner.headers);
    expect([repeatedAnswer.statusCode, repeatedAnswer.json().message]).toEqual([503, error.message]);
    expect(repeatedAnswer.headers['retry-after']).toBe('10');
    await expect.poll(async () => (await rowOf(id)).status).not.toBe(3);
    await expectReadable(id, as.visitor);
  });

  test('is rejected for visitors and other users, with 404 for private documents', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const foreign = await as.user();
    expect((await unlock(id, as.visitor)).statusCode).toBe(401);
    expect((await unlock(id, foreign)).statusCode).toBe(403);
    await pool.query('update documents set visibility = 2 where id = $1', [id]);
    expect((await unlock(id, foreign)).statusCode).toBe(404);
    expect((await unlock(999_999, foreign)).statusCode).toBe(404);
    expect(await rowOf(id)).toMatchObject({ status: 3 });
  });

  test('returns 400 for a wrong password and leaves the document unchanged', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const before = await rowOf(id);
    const answer = await unlock(id, owner.headers, 'not the password');
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'decryption.wrongPassword',
      message: '密码不正确',
    });
    expect(await rowOf(id)).toEqual(before);
    expect((await unlock(id, owner.headers, '')).json().message).toContain('请输入文档密码');
  });

  test('returns 409 for a document that is not encrypted or already unlocked', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    await unlock(id, owner.headers);
    expect((await unlock(id, owner.headers)).statusCode).toBe(409);
    const category_id = await createCategoryChain(ctx);
    const damagedDocument = await addDocument(ctx, owner, { category_id, bytes: Buffer.from('%PDF-1.7') });
    await waitForRendition(ctx, damagedDocument.rendition_id ?? 0);
    expect((await unlock(damagedDocument.id, owner.headers)).statusCode).toBe(409);
  });

  test('puts the document under review when uploads of its owner need one', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const reviewedRole = await newRole(ctx, [], { enable_upload: true, enable_document_review: true });
    await pool.query('update user_roles set role_id = $2 where user_id = $1', [owner.id, reviewedRole]);
    expect((await unlock(id, owner.headers)).statusCode).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: 6 });
    const check = { id: [id], status: 0, reason: '' };
    const headers = await as.root();
    await app.inject({ method: 'PUT', url: '/api/v1/document/check', headers, payload: check });
    await expectReadable(id, as.visitor);
  });

  test('leaves other documents of the same encrypted file locked', async () => {
    const bytes = makePasswordPdf();
    const [owner, otherUploader] = [await newUploader(ctx), await newUploader(ctx)];
    const id = await addEncryptedDocument(ctx, owner, { bytes });
    const otherId = await addEncryptedDocument(ctx, otherUploader, { bytes });
    expect((await unlock(id, owner.headers)).statusCode).toBe(200);
    await expectReadable(id, as.visitor);
    expect(await get(`/document?id=${otherId}`, otherUploader.headers)).toMatchObject({
      status: 3,
      encryption: 'unlockable',
    });
  });

  test('lets a later conversion use the decrypted copy without the password', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    await unlock(id, owner.headers);
    await expectReadable(id, as.visitor);
    const before = await rowOf(id);
    const headers = await as.root();
    const payload = { id: [id] };
    await app.inject({ method: 'PUT', url: '/api/v1/document/reconvert', headers, payload });
    await expectReadable(id, as.visitor);
    expect(await rowOf(id)).toEqual(before);
  });
});

describe('attempts to unlock a document', () => {
  test('are rejected with 429 after ten wrong passwords for one document, even with the right password', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    for (let attempt = 1; attempt <= 10; attempt += 1)
      expect((await unlock(id, owner.headers, `wrong ${attempt}`)).statusCode).toBe(400);
    const refusedResponse = await unlock(id, await as.root());
    expect(refusedResponse.statusCode).toBe(429);
    expect(refusedResponse.headers['retry-after']).toBe('600');
    clock.now = new Date(clock.now.getTime() + 600_000);
    expect((await unlock(id, owner.headers)).statusCode).toBe(200);
  });

  test('are rejected with 429 after thirty wrong passwords of one user on different documents', async () => {
    const owner = await newMember(ctx, [await newRole(ctx, [], { enable_upload: true })]);
    const id = await addEncryptedDocument(ctx, owner);
    await pool.query('insert into rate_limits (key, hits, resets_at) values ($1, 29, $2)', [
      `unlock:user:${owner.id}`,
      new Date(clock.now.getTime() + 60_000),
    ]);
    // Right passwords do not count.
    expect((await unlock(id, owner.headers)).statusCode).toBe(200);
    const second = await addEncryptedDocument(ctx, owner);
    expect((await unlock(second, owner.headers, 'wrong')).statusCode).toBe(400);
    expect((await unlock(second, owner.headers)).statusCode).toBe(429);
  });
});

describe('the decrypted copy of a document', () => {
  test('is never sent: downloads return the encrypted file, and uploads cannot refer to the copy by its hash', async () => {
    const owner = await newUploader(ctx);
    const bytes = makePasswordPdf();
    const id = await addEncryptedDocument(ctx, owner, { bytes });
    await unlock(id, owner.headers);
    await expectReadable(id, as.visitor);
    const headers = await as.root();
    const { url } = await get(`/document/download?id=${id}`, headers);
    expect((await app.inject({ url })).rawPayload.equals(bytes)).toBe(true);
    const hash = await hashOf((await rowOf(id)).rendition_id);
    const { size } = (await ctx.storage.stat(originalKey(hash))) ?? { size: 0 };
    expect(size).toBeGreaterThan(0);
    const check = await app.inject({
      method: 'POST',
      url: '/api/v1/upload/check',
      headers,
      payload: { name: '副本.pdf', hash, size },
    });
    expect(check.json()).toEqual({ challenge: null });
  });

  test('is stored while its document uses it and is erased with the document and its pages', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    await unlock(id, owner.headers);
    await expectReadable(id, as.visitor);
    const { rendition_id } = await rowOf(id);
    const hash = await hashOf(rendition_id);
    const headers = await as.root();
    clock.now = new Date(clock.now.getTime() + 2 * 24 * 60 * 60_000);
    await eraseExpiredFiles(ctx);
    expect(await storedUnder(hash)).toBeGreaterThan(1);
    for (const path of ['/document', '/document/recycle'])
      await app.inject({ method: 'DELETE', url: `/api/v1${path}?id=${id}`, headers });
    clock.now = new Date(clock.now.getTime() + 2 * 24 * 60 * 60_000);
    await eraseExpiredFiles(ctx);
    expect(await hashOf(rendition_id)).toBeUndefined();
    expect(await storedUnder(hash)).toBe(0);
  });

  test('is erased if no document uses it', async () => {
    const owner = await newUploader(ctx);
    const id = await addEncryptedDocument(ctx, owner);
    const { hash } = (await pool.query('select hash from attachments where type_id = $1', [id])).rows[0];
    const file = { hash, format: 'pdf', extension: 'pdf' } as const;
    const copy = await storeDecryptedCopy(ctx, file, FILE_PASSWORD);
    await eraseExpiredFiles(ctx);
    expect(await storedUnder(copy.hash)).toBe(1);
    clock.now = new Date(clock.now.getTime() + 2 * 24 * 60 * 60_000);
    await eraseExpiredFiles(ctx);
    expect(await storedUnder(copy.hash)).toBe(0);
    expect(await storedUnder(hash)).toBe(1);
  });
});

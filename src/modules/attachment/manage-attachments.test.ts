import { describe, expect, test } from 'vitest';
import { addDocument, createCategoryChain, newUpload, newUploader, pdfOf } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { blockFileErasure } from '#platform/server/storage/erase-lock.ts';
import { testApp } from '#testing/test-app.ts';
import { makePicture, multipartForm } from './picture.fixture.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

const put = (payload: object) => app.inject({ method: 'PUT', url: '/api/v1/attachment', headers: root, payload });
const remove = (...ids: number[]) =>
  app.inject({
    method: 'DELETE',
    url: `/api/v1/attachment?${ids.map((id) => `id=${id}`).join('&')}`,
    headers: root,
  });
const list = async (query = '') =>
  (await app.inject({ url: `/api/v1/attachment/list?${query}`, headers: root })).json();
const get = async (id: number) => (await app.inject({ url: `/api/v1/attachment?id=${id}`, headers: root })).json();
async function upload(kind = 'banner', bytes?: Buffer) {
  const { payload, contentType } = multipartForm(bytes ?? (await makePicture()));
  return app.inject({
    method: 'POST',
    url: `/api/v1/upload/${kind}`,
    headers: { ...root, 'content-type': contentType },
    payload,
  });
}
const isStored = async (path: string) => (await ctx.storage.stat(path.slice(1))) !== null;

describe('the attachment list', () => {
  test('shows the uploader and filters by name, type, owner, extension and legality', async () => {
    const id = await newUpload(ctx, owner.id);
    const { data } = (await upload()).json();
    expect(await get(id)).toMatchObject({
      id,
      type: 2,
      type_name: '文档',
      username: owner.username,
      enable: true,
      ext: '.pdf',
    });
    await put({ id, name: '年报', description: '可疑' });
    expect((await list('wd=年报')).attachment).toMatchObject([{ id, description: '可疑' }]);
    expect((await list('wd=可疑')).total).toBe(1);
    expect((await list(`user_id=${owner.id}`)).total).toBe(1);
    expect((await list('type=5')).attachment.map((row: { id: number }) => row.id)).toEqual([data.id]);
    expect((await list('ext=PDF')).attachment).toMatchObject([{ id }]);
    expect((await list('enable=false')).total).toBe(0);
    expect((await get(999_999)).code).toBe('attachment.notFound');
  });
});

describe('a file marked illegal', () => {
  test('is rejected for every row with its bytes until it is legal again', async () => {
    const bytes = await makePicture();
    const [first, second] = [(await upload('banner', bytes)).json().data, (await upload('banner', bytes)).json().data];
    expect((await put({ id: first.id, enable: false })).statusCode).toBe(200);
    expect((await get(second.id)).enable).toBe(false);
    expect((await upload('banner', bytes)).json().code).toBe('file.illegal');
    await put({ id: second.id, enable: true });
    expect((await upload('banner', bytes)).statusCode).toBe(200);
  });

  test('disables its documents, which cannot be enabled before it is legal', async () => {
    const bytes = pdfOf();
    const { id } = await addDocument(ctx, owner, { category_id, bytes });
    const { id: sameFileId } = await addDocument(ctx, await newUploader(ctx), { category_id, bytes });
    const { id: otherId } = await addDocument(ctx, owner, { category_id });
    const { rows } = await pool.query('select id::int from attachments where type = 2 and type_id = $1', [id]);
    await put({ id: rows[0].id, enable: false });
    const statusOf = async (id: number) => {
      const { status, reject_reason } = (await app.inject({ url: `/api/v1/document?id=${id}`, headers: root })).json();
      return [status, reject_reason];
    };
    expect(await statusOf(id)).toEqual([4, '文件已被标记为非法文件']);
    expect(await statusOf(sameFileId)).toEqual([4, '文件已被标记为非法文件']);
    expect(await statusOf(otherId)).toEqual([0, '']);
    const enable = () =>
      app.inject({
        method: 'PUT',
        url: '/api/v1/document/check',
        headers: root,
        payload: { id: [id], status: 2 },
      });
    expect((await enable()).json().code).toBe('document.illegalFile');
    await put({ id: rows[0].id, enable: true });
    expect((await enable()).statusCode).toBe(200);
    expect(await statusOf(sameFileId)).toEqual([4, '文件已被标记为非法文件']);
  });

  test('cannot become a document from an earlier upload', async () => {
    const bytes = pdfOf();
    const [id, unusedUploadId] = [await newUpload(ctx, owner.id, { bytes }), await newUpload(ctx, owner.id, { bytes })];
    await put({ id, enable: false });
    const payload = { category_id, document: [{ title: '禁书', attachment_id: unusedUploadId }] };
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/document',
      headers: owner.headers,
      payload,
    });
    expect(response.json().code).toBe('file.illegal');
  });
});

describe('deleting attachments', () => {
  test('deletes unused attachments, and the file when no other row refers to it', async () => {
    const bytes = await makePicture();
    const [first, second] = [(await upload('banner', bytes)).json().data, (await upload('banner', bytes)).json().data];
    expect((await remove(first.id)).statusCode).toBe(200);
    expect(await isStored(first.path)).toBe(true);
    expect((await remove(second.id)).statusCode).toBe(200);
    expect(await isStored(first.path)).toBe(false);
    const unusedUploadId = await newUpload(ctx, owner.id);
    const { hash } = await get(unusedUploadId);
    await remove(unusedUploadId);
    expect((await pool.query('select 1 from removed_files where hash = $1', [hash])).rows).toHaveLength(1);
  });

  test('is rejected with 503 and Retry-After during a backup', async () => {
    const { id, path } = (await upload()).json().data;
    const backup = await pool.connect();
    await blockFileErasure(backup);
    const response = await remove(id);
    expect([response.statusCode, response.json().message]).toEqual([503, '网站正在备份，请稍后再删除附件']);
    expect(response.headers['retry-after']).toBe('60');
    expect(await isStored(path)).toBe(true);
    backup.release(true);
    await expect.poll(async () => (await remove(id)).statusCode).toBe(200);
  });

  test('deletes nothing when one attachment is used, banned or missing', async () => {
    const unusedFile = (await upload()).json().data;
    const logo = (await upload('config')).json().data;
    await setSetting(ctx, 'system.logo', logo.path);
    const bannedFile = (await upload()).json().data;
    await put({ id: bannedFile.id, enable: false });
    const { id } = await addDocument(ctx, owner, { category_id });
    const { rows } = await pool.query('select id::int from attachments where type = 2 and type_id = $1', [id]);
    for (const [otherId, code] of [
      [logo.id, 'attachment.inUse'],
      [rows[0].id, 'attachment.inUse'],
      [bannedFile.id, 'attachment.banned'],
      [999_999, 'attachment.notFound'],
    ]) {
      expect((await remove(unusedFile.id, otherId)).json().code).toBe(code);
      expect((await get(unusedFile.id)).id).toBe(unusedFile.id);
    }
  });
});

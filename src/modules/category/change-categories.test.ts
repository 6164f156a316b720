import { describe, expect, test } from 'vitest';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { categoryAdminClient, statusAndCode } from './category.fixture.ts';

const { app, as, pool } = await testApp();
const root = await as.root();
const { list, send, remove, find, create } = categoryAdminClient(app, root);

describe('creating categories', () => {
  test('creates one category per line and skips existing titles', async () => {
    const parent = await create('理科');
    await send('POST', { parent_id: parent, title: '数学\n\n 物理 \n数学' });
    await send('POST', { parent_id: parent, title: '物理\n化学', sort: 3, enable: false });
    const children = await list(`?parent_id=${parent}`);
    expect(children.map(({ title, sort, enable }) => [title, sort, enable])).toEqual([
      ['化学', 3, false],
      ['数学', 0, true],
      ['物理', 0, true],
    ]);
  });

  test('allows the same title under another parent', async () => {
    const [left, right] = [await create('左'), await create('右')];
    await send('POST', { parent_id: left, title: '同名' });
    await send('POST', { parent_id: right, title: '同名' });
    expect((await list('?wd=同名')).length).toBe(2);
  });

  test('creates one category from three equal concurrent requests', async () => {
    const responses = await Promise.all([1, 2, 3].map(() => send('POST', { title: '同时' })));
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await list('?wd=同时')).length).toBe(1);
  });

  test.each<[string, object, unknown[]]>([
    ['a blank title', { title: ' \n ' }, [400, 'http.invalidInput']],
    ['a title that is too long', { title: `好\n${'长'.repeat(65)}` }, [400, 'category.titleTooLong']],
    ['a parent that does not exist', { title: '孤儿', parent_id: 999_999 }, [400, 'category.parentNotFound']],
    ['an unknown key', { title: '甲', color: 'red' }, [400, 'http.invalidInput']],
    ['a wrong type', { title: '甲', sort: '1' }, [400, 'http.invalidInput']],
    ['a negative order', { title: '甲', sort: -1 }, [400, 'http.invalidInput']],
    ['a NUL character', { title: '甲\u0000' }, [400, 'http.invalidInput']],
    ['a cover of another site', { title: '甲', cover: 'https://a.example/a.png' }, [400, 'category.foreignPicture']],
    [
      'a cover that was not uploadResponse',
      { title: '甲', cover: `/uploads/category/00/${'0'.repeat(64)}.webp` },
      [400, 'category.foreignPicture'],
    ],
  ])('rejects %s and stores nothing', async (_, payload, expected) => {
    const before = await list();
    const response = await send('POST', payload);
    expect(statusAndCode(response)).toEqual(expected);
    expect(response.json().message).toMatch(/[\u4e00-\u9fff]/);
    expect(await list()).toEqual(before);
  });

  test('accepts and ignores read-only fields', async () => {
    const response = await send('POST', {
      id: 7,
      title: '只读',
      doc_count: 99,
      created_at: 'x',
      children: [],
    });
    expect(response.statusCode).toBe(200);
    expect((await find('只读')).doc_count).toBe(0);
  });

  test('rejects a ninth level', async () => {
    let parent_id = 0;
    for (let level = 1; level <= 8; level++) parent_id = await create(`第${level}级`, { parent_id });
    expect(statusAndCode(await send('POST', { title: '第9级', parent_id }))).toEqual([400, 'category.tooDeep']);
  });
});

describe('updating a category', () => {
  test('changes the sent fields only', async () => {
    const id = await create('原名', { description: '说明', sort: 4 });
    expect((await send('PUT', { id, title: '新名', doc_count: 5, updated_at: 'x' })).json()).toEqual({});
    const response = await app.inject({ url: `/api/v1/category?id=${id}`, headers: root });
    expect(response.json()).toMatchObject({
      id,
      title: '新名',
      description: '说明',
      sort: 4,
      doc_count: 0,
    });
  });

  test('rejects a title that exists under the parent with 409', async () => {
    await create('占用');
    const id = await create('改名');
    const response = await send('PUT', { id, title: '占用' });
    expect([response.statusCode, response.json().message]).toEqual([409, '分类名称已存在']);
  });

  test('returns 404 for a category that does not exist', async () => {
    expect(statusAndCode(await send('PUT', { id: 999_999, title: '无' }))).toEqual([404, 'category.notFound']);
    const response = await app.inject({ url: '/api/v1/category?id=999999', headers: root });
    expect(statusAndCode(response)).toEqual([404, 'category.notFound']);
  });

  test('moves the subtree, and rejects cycles, missing parents and too many levels', async () => {
    const top = await create('树');
    const branch = await create('枝', { parent_id: top });
    const leaf = await create('叶', { parent_id: branch });
    for (const parent_id of [top, branch, leaf])
      expect(statusAndCode(await send('PUT', { id: top, parent_id }))).toEqual([400, 'category.cycle']);
    expect(statusAndCode(await send('PUT', { id: top, parent_id: 999_999 }))).toEqual([400, 'category.parentNotFound']);
    const { id: seventh } = await find('第7级');
    expect(statusAndCode(await send('PUT', { id: branch, parent_id: seventh }))).toEqual([400, 'category.tooDeep']);
    expect((await send('PUT', { id: branch, parent_id: 0 })).statusCode).toBe(200);
    expect([(await find('枝')).parent_id, (await find('叶')).parent_id]).toEqual([0, branch]);
  });

  test('rejects one of two concurrent moves that would form a cycle', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await create(`环甲${round}`), await create(`环乙${round}`)];
      const responses = await Promise.all([send('PUT', { id: a, parent_id: b }), send('PUT', { id: b, parent_id: a })]);
      expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
    }
  });

  test('marks a cover or icon as used until it is replaced or the category is deleted', async () => {
    const { payload, contentType } = multipartForm(await makePicture());
    const uploadResponse = await app.inject({
      method: 'POST',
      url: '/api/v1/upload/category',
      headers: { ...root, 'content-type': contentType },
      payload,
    });
    const { path: cover, id: fileId } = uploadResponse.json().data;
    const id = await create('封面', { cover });
    const usedBy = async () =>
      (await pool.query('select type_id::int from attachments where id = $1', [fileId])).rows[0].type_id;
    expect(await usedBy()).toBe(id);
    await send('PUT', { id, cover: '' });
    expect(await usedBy()).toBe(0);
    await send('PUT', { id, icon: cover });
    expect(await usedBy()).toBe(id);
    await remove([id]);
    expect(await usedBy()).toBe(0);
  });
});

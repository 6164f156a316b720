import { describe, expect, test } from 'vitest';
import { makePicture, multipartForm } from '#modules/attachment/picture.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { categoryKeeper, refusal } from './category.fixture.ts';

const { app, as, pool } = await testApp();
const root = await as.root();
const { listed, send, remove, find, create } = categoryKeeper(app, root);

describe('creating', () => {
  test('takes one name a line and skips what is there already', async () => {
    const parent = await create('理科');
    await send('POST', { parent_id: parent, title: '数学\n\n 物理 \n数学' });
    await send('POST', { parent_id: parent, title: '物理\n化学', sort: 3, enable: false });
    const children = await listed(`?parent_id=${parent}`);
    expect(children.map(({ title, sort, enable }) => [title, sort, enable])).toEqual([
      ['化学', 3, false],
      ['数学', 0, true],
      ['物理', 0, true],
    ]);
  });

  test('the same name under another parent is another category', async () => {
    const [left, right] = [await create('左'), await create('右')];
    await send('POST', { parent_id: left, title: '同名' });
    await send('POST', { parent_id: right, title: '同名' });
    expect((await listed('?wd=同名')).length).toBe(2);
  });

  test('two equal requests at the same time make one category', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', { title: '同时' })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await listed('?wd=同时')).length).toBe(1);
  });

  test.each<[string, object, unknown[]]>([
    ['no name', { title: ' \n ' }, [400, 'http.invalidInput']],
    ['a name that is too long', { title: `好\n${'长'.repeat(65)}` }, [400, 'category.titleTooLong']],
    ['a parent that is not there', { title: '孤儿', parent_id: 999_999 }, [400, 'category.parentNotFound']],
    ['an unknown key', { title: '甲', color: 'red' }, [400, 'http.invalidInput']],
    ['a wrong type', { title: '甲', sort: '1' }, [400, 'http.invalidInput']],
    ['a negative order', { title: '甲', sort: -1 }, [400, 'http.invalidInput']],
    ['NUL', { title: '甲\u0000' }, [400, 'http.invalidInput']],
    ['a cover from elsewhere', { title: '甲', cover: 'https://a.example/a.png' }, [400, 'category.foreignPicture']],
    [
      'a cover that is gone',
      { title: '甲', cover: `/uploads/category/00/${'0'.repeat(64)}.webp` },
      [400, 'category.foreignPicture'],
    ],
  ])('refuses %s and writes nothing', async (_, payload, expected) => {
    const before = await listed();
    const answer = await send('POST', payload);
    expect(refusal(answer)).toEqual(expected);
    expect(answer.json().message).toMatch(/[\u4e00-\u9fff]/);
    expect(await listed()).toEqual(before);
  });

  test('read-only fields are accepted and ignored', async () => {
    const answer = await send('POST', {
      id: 7,
      title: '只读',
      doc_count: 99,
      created_at: 'x',
      children: [],
    });
    expect(answer.statusCode).toBe(200);
    expect((await find('只读')).doc_count).toBe(0);
  });

  test('eight levels are the most', async () => {
    let parent_id = 0;
    for (let level = 1; level <= 8; level++) parent_id = await create(`第${level}级`, { parent_id });
    expect(refusal(await send('POST', { title: '第9级', parent_id }))).toEqual([400, 'category.tooDeep']);
  });
});

describe('changing', () => {
  test('changes what is sent and leaves the rest', async () => {
    const id = await create('原名', { description: '说明', sort: 4 });
    expect((await send('PUT', { id, title: '新名', doc_count: 5, updated_at: 'x' })).json()).toEqual({});
    const one = await app.inject({ url: `/api/v1/category?id=${id}`, headers: root });
    expect(one.json()).toMatchObject({
      id,
      title: '新名',
      description: '说明',
      sort: 4,
      doc_count: 0,
    });
  });

  test('a name that its parent already has is refused', async () => {
    await create('占用');
    const id = await create('改名');
    const answer = await send('PUT', { id, title: '占用' });
    expect([answer.statusCode, answer.json().message]).toEqual([409, '分类名称已存在']);
  });

  test('a category that is not there is not found', async () => {
    expect(refusal(await send('PUT', { id: 999_999, title: '无' }))).toEqual([404, 'category.notFound']);
    const one = await app.inject({ url: '/api/v1/category?id=999999', headers: root });
    expect(refusal(one)).toEqual([404, 'category.notFound']);
  });

  test('moving takes everything below along, but not into itself or too deep', async () => {
    const top = await create('树');
    const branch = await create('枝', { parent_id: top });
    const leaf = await create('叶', { parent_id: branch });
    for (const parent_id of [top, branch, leaf])
      expect(refusal(await send('PUT', { id: top, parent_id }))).toEqual([400, 'category.cycle']);
    expect(refusal(await send('PUT', { id: top, parent_id: 999_999 }))).toEqual([400, 'category.parentNotFound']);
    const { id: seventh } = await find('第7级');
    expect(refusal(await send('PUT', { id: branch, parent_id: seventh }))).toEqual([400, 'category.tooDeep']);
    expect((await send('PUT', { id: branch, parent_id: 0 })).statusCode).toBe(200);
    expect([(await find('枝')).parent_id, (await find('叶')).parent_id]).toEqual([0, branch]);
  });

  test('two moves at the same time never close a ring', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await create(`环甲${round}`), await create(`环乙${round}`)];
      const answers = await Promise.all([send('PUT', { id: a, parent_id: b }), send('PUT', { id: b, parent_id: a })]);
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
    }
  });

  test('a cover is kept while it is used', async () => {
    const { payload, contentType } = multipartForm(await makePicture());
    const uploaded = await app.inject({
      method: 'POST',
      url: '/api/v1/upload/category',
      headers: { ...root, 'content-type': contentType },
      payload,
    });
    const { path: cover, id: fileId } = uploaded.json().data;
    const id = await create('封面', { cover });
    const use = async () =>
      (await pool.query('select type_id::int from attachments where id = $1', [fileId])).rows[0].type_id;
    expect(await use()).toBe(id);
    await send('PUT', { id, cover: '' });
    expect(await use()).toBe(0);
    await send('PUT', { id, icon: cover });
    expect(await use()).toBe(id);
    await remove([id]);
    expect(await use()).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import { errorBody } from '#platform/contract/errors.ts';
import { testApp } from '#testing/test-app.ts';
import { CATEGORY_FIELDS, categoryErrors } from './category.contract.ts';
import { categoryAdminClient, statusAndCode } from './category.fixture.ts';
import { seedCategories } from './seed-categories.ts';

const { app, ctx, as, pool } = await testApp();
const root = await as.root();
type Headers = { authorization?: string };
const { list, send, remove, find, create } = categoryAdminClient(app, root);

describe('the default categories', () => {
  test('contain eight top-level categories with at least three subcategories each', async () => {
    const rows = await list('', as.visitor);
    const tops = rows.filter(({ parent_id }) => parent_id === 0);
    expect(tops.map(({ title }) => title)).toContain('教育考试');
    expect(tops.length).toBe(8);
    for (const { id } of tops)
      expect(rows.filter(({ parent_id }) => parent_id === id).length).toBeGreaterThanOrEqual(3);
  });

  test('are not created again after all categories were deleted', async () => {
    await pool.query('begin; delete from categories where parent_id is not null; delete from categories; commit');
    await seedCategories(ctx);
    expect(await list()).toEqual([]);
  });
});

describe('permissions for categories', () => {
  test.each([
    ['GET', '/category?id=1', 'GetCategory', '根据ID查询文档分类'],
    ['POST', '/category', 'CreateCategory', '新增文档分类'],
    ['PUT', '/category', 'UpdateCategory', '更新文档分类'],
    ['DELETE', '/category?id=1', 'DeleteCategory', '删除文档分类'],
  ] as const)('%s %s requires its permission', async (method, path, permission, title) => {
    const call = async (headers: Headers) =>
      app.inject({
        method,
        url: `/api/v1${path}`,
        headers,
        ...(method !== 'GET' && { payload: {} }),
      });
    const visitor = await call(as.visitor);
    expect(visitor.statusCode).toBe(401);
    const user = await call(await as.userWith(['CategoryAPI/ListCategory']));
    expect([user.statusCode, user.json().message]).toEqual([403, `您没有权限访问【${title}】`]);
    const holder = await call(await as.userWith([`CategoryAPI/${permission}`]));
    expect(holder.statusCode).not.toBe(403);
  });
});

describe('the public list of categories', () => {
  test('hides a disabled category and everything below it immediately', async () => {
    const parent = await create('停用的');
    await create('停用的下级', { parent_id: parent });
    const titles = async (headers: Headers) => (await list('?wd=停用的', headers)).map((row) => row.title);
    expect(await titles(as.visitor)).toEqual(['停用的', '停用的下级']);
    await send('PUT', { id: parent, enable: false });
    expect(await titles(as.visitor)).toEqual([]);
    expect(await titles(await as.user())).toEqual([]);
    const staff = await as.userWith(['CategoryAPI/ListCategory']);
    const allCategories = await list('?wd=停用的', staff);
    expect(allCategories.map(({ title, enable }) => [title, enable])).toEqual([
      ['停用的', false],
      ['停用的下级', true],
    ]);
    await send('PUT', { id: parent, enable: true });
    expect(await titles(as.visitor)).toEqual(['停用的', '停用的下级']);
  });

  test('ignores a filter for disabled categories by a visitor', async () => {
    await create('秘密', { enable: false });
    const allCategories = await list('?enable=false&enable=true', as.visitor);
    expect(allCategories.every(({ enable }) => enable)).toBe(true);
    expect((await list('?enable=false')).map(({ title }) => title)).toContain('秘密');
  });

  test('returns the requested fields only', async () => {
    expect(CATEGORY_FIELDS).toEqual(['id', 'title', 'parent_id', 'cover', 'doc_count', 'enable']);
    const query = CATEGORY_FIELDS.map((field) => `field=${field}`).join('&');
    const [row] = await list(`?${query}`, as.visitor);
    expect(Object.keys(row ?? {}).toSorted()).toEqual(CATEGORY_FIELDS.toSorted());
  });
});

describe('the list of categories', () => {
  test('is sorted by parent, then by descending sort, then by title', async () => {
    const parent_id = await create('排序');
    // The order by title is neither the order of creation nor its reverse.
    await send('POST', { parent_id, title: '甲\n丙\n乙' });
    await send('POST', { parent_id, title: '先', sort: 9 });
    const titles = async (query = '') => (await list(`?parent_id=${parent_id}${query}`)).map((row) => row.title);
    expect(await titles()).toEqual(['先', '丙', '甲', '乙']);
    expect(await titles('&order=id%20desc')).toEqual(['先', '乙', '丙', '甲']);
    expect(await titles('&order=id%20asc&size=2&page=2')).toEqual(['乙', '先']);
    const rejectedResponse = await app.inject('/api/v1/category/list?order=password');
    expect(statusAndCode(rejectedResponse)).toEqual([400, 'http.invalidInput']);
  });

  test('treats LIKE wildcards in the keyword as plain characters', async () => {
    await create('百分之100%');
    expect((await list('?wd=%25')).map(({ title }) => title)).toEqual(['百分之100%']);
    expect(await list('?wd=_')).toEqual([]);
  });
});

describe('deleting categories', () => {
  test('deletes the subtree and ignores missing ids', async () => {
    const parent_id = await create('将删');
    const child = await create('将删下级', { parent_id });
    await create('将删再下级', { parent_id: child });
    expect((await remove([parent_id])).json()).toEqual({});
    expect(await list('?wd=将删')).toEqual([]);
    expect((await remove([parent_id])).statusCode).toBe(200);
  });

  test('deletes nothing and returns 409 when a category of the subtree has documents', async () => {
    const parent_id = await create('有文档');
    await create('空的', { parent_id });
    const nonEmptyId = await create('满的', { parent_id });
    const otherCategory = await create('无关的');
    await pool.query('update categories set doc_count = 3 where id = $1', [nonEmptyId]);
    const response = await remove([otherCategory, parent_id]);
    expect([response.statusCode, response.json()]).toEqual([
      409,
      errorBody(categoryErrors.hasDocuments('分类“满的”下还有文档，不能删除')),
    ]);
    for (const title of ['有文档', '空的', '满的', '无关的']) expect(await find(title)).toBeTruthy();
  });

  test('rejects missing and invalid ids with 400', async () => {
    expect((await remove([])).statusCode).toBe(400);
    const rejectedResponse = await app.inject({
      method: 'DELETE',
      url: '/api/v1/category?id=x',
      headers: root,
    });
    expect(rejectedResponse.statusCode).toBe(400);
  });
});

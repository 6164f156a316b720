import { describe, expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addDocument, createCategoryChain, newUpload, newUploader, setConversionState } from './document.fixture.ts';
import { extractTitleKeywords } from './extract-title-keywords.ts';

const { app, ctx, as, pool, clock } = await testApp();
const root = await as.root();
type Row = { id: number; title: string; category_id: number[]; category: { title: string }[] };

const owner = await newUploader(ctx);
const branch = await createCategoryChain(ctx, 2);
const [top = 0, leaf = 0] = branch;
const names = ['甲', '乙', '丙', '丁', '戊'];
const ids: number[] = [];
for (const [at, title] of names.entries()) {
  clock.now = new Date(Date.UTC(2026, 1, 10 + at, 16, 30));
  const { id } = await addDocument(ctx, owner, {
    title,
    category_id: at < 3 ? [leaf] : [top],
    price: at % 2,
  });
  await pool.query('update documents set view_count = $2, ext = $3 where id = $1', [
    id,
    (at * 7) % 5,
    at === 4 ? '.docx' : '.pdf',
  ]);
  ids.push(id);
}
const [first = 0, second = 0, third = 0] = ids;
await setConversionState(ctx, first);
await setConversionState(ctx, second, 'failed');

const list = async (query: string, headers: { authorization?: string } = as.visitor) =>
  (await app.inject({ url: `/api/v1/document/list?user_id=${owner.id}&${query}`, headers })).json() as {
    total: number;
    document: Row[];
  };
const titles = async (query: string, headers?: { authorization?: string }) =>
  (await list(query, headers)).document.map(({ title }) => title).join('');

test('a document request with id 0 and a uuid returns the document with that uuid', async () => {
  const { uuid } = (await app.inject(`/api/v1/document?id=${first}`)).json();
  const answer = await app.inject(`/api/v1/document?id=0&uuid=${uuid}`);
  expect(answer.json().id).toBe(first);
  expect((await app.inject('/api/v1/document?id=0')).statusCode).toBe(400);
});

describe('the document list', () => {
  test('returns documents newest first, in pages without overlap', async () => {
    expect(await titles('')).toBe('戊丁丙乙甲');
    expect(await titles('size=2&page=1')).toBe('戊丁');
    expect(await titles('size=2&page=3')).toBe('甲');
    expect(await list('size=2&page=4')).toEqual({ total: 5, document: [] });
    expect(await list('limit=2')).toMatchObject({
      total: 0,
      document: [{ title: '戊' }, { title: '丁' }],
    });
  });

  test.each([
    [`category_id=${leaf}`, '丙乙甲'],
    ['category_id=0', '戊丁丙乙甲'],
    [`category_id=0&category_id=${leaf}`, '丙乙甲'],
    [`category_id=${leaf}&status=2`, '甲'],
    [`category_id=${leaf}&category_id=${top}&status=2`, '甲'],
    [`category_id=${top}`, '戊丁丙乙甲'],
    ['status=2', '甲'],
    ['status=3&status=2', '乙甲'],
    ['status=99', ''],
    ['ext=pdf', '丁丙乙甲'],
    ['ext=doc', '戊'],
    ['ext=ppt', ''],
    ['ext=all', '戊丁丙乙甲'],
    ['fee_type=free', '戊丙甲'],
    ['fee_type=charge', '丁乙'],
    ['is_recommend=true', ''],
    ['is_recommend=false', '戊丁丙乙甲'],
    ['created_at=2026-02-12', '戊丁丙乙'],
    ['created_at=2026-02-12 00:00:00&created_at=2026-02-14 00:29:59', '丙乙'],
    ['created_at=2026-02-13T16:30:00Z', '戊丁'],
    ['order=id asc', '甲乙丙丁戊'],
    ['order=view_count', '丙戊乙丁甲'],
    ['sort=price desc, title asc', '丁乙丙戊甲'],
    ['status=2&order=pages desc', '甲'],
    ['order=pages desc', '甲戊丁丙乙'],
    ['order=created_at desc', '戊丁丙乙甲'],
    ['order=download_count desc', '戊丁丙乙甲'],
  ])('with %s returns %s', async (query, expectedTitles) => {
    expect(await titles(query)).toBe(expectedTitles);
  });

  test.each(['order=password', 'order=id; drop table documents', 'size=101', 'page=0', 'created_at=someday'])(
    'rejects the query %s with 400',
    async (query) => {
      const answer = await app.inject({ url: `/api/v1/document/list?${query}` });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'http.invalidInput']);
    },
  );

  test("applies the wd filter only for managers and for the caller's documents", async () => {
    expect(await titles('wd=乙')).toBe('戊丁丙乙甲');
    expect(await titles('wd=乙', owner.headers)).toBe('乙');
    expect(await titles('wd=乙', root)).toBe('乙');
  });

  test('returns author and categories, parents first, and only the requested fields', async () => {
    const [row] = (await list(`id=${third}`)).document;
    expect(row).toMatchObject({ username: owner.username, category_id: branch });
    expect(row?.category.map(({ title }) => title)).toHaveLength(2);
    expect((await list(`id=${third}&field=id&field=title`)).document).toEqual([{ id: third, title: '丙' }]);
    expect(JSON.stringify(row)).not.toMatch(/[0-9a-f]{64}/);
  });

  test('sorts recommended documents by the time of recommendation', async () => {
    const recommend = (id: number[], type: number) =>
      app.inject({
        method: 'PUT',
        url: '/api/v1/document/recommend',
        headers: root,
        payload: { id, type },
      });
    clock.now = new Date(clock.now.getTime() + 1000);
    await recommend([first], 1);
    clock.now = new Date(clock.now.getTime() + 1000);
    await recommend([third, first], 1);
    expect(await titles('is_recommend=true&order=recommend_at desc')).toBe('丙甲');
    clock.now = new Date(clock.now.getTime() + 1000);
    await recommend([first], 2);
    expect(await titles('is_recommend=true&order=recommend_at desc')).toBe('甲丙');
    expect(await titles('order=recommend_at desc')).toBe('甲丙戊丁乙');
    await recommend([first, third], 0);
    expect(await titles('is_recommend=true')).toBe('');
  });

  test('is limited to 1,000 documents for visitors and complete for managers and the owner', async () => {
    await pool.query(
      `insert into documents (user_id, rendition_id, title, ext, format, size)
       select user_id, rendition_id, 'x' || n, ext, format, size
       from documents, generate_series(1, 2500) n where id = $1`,
      [first],
    );
    expect((await list('size=1')).total).toBe(1000);
    expect((await list('size=1', root)).total).toBe(2505);
    expect((await list('size=1', owner.headers)).total).toBe(2505);
    expect((await list('size=100&page=11')).document).toEqual([]);
  });
});

describe('a document request', () => {
  test('with author counts a view of visitors, not of the owner, and returns only public author fields', async () => {
    const view = async (headers: { authorization?: string }) =>
      (await app.inject({ url: `/api/v1/document?id=${first}&with_author=true`, headers })).json();
    const views = async () =>
      (await pool.query('select view_count from documents where id = $1', [first])).rows[0].view_count;
    const before = await views();
    const { user } = await view(as.visitor);
    await Promise.all(Array.from({ length: 20 }, () => view(as.visitor)));
    await view(owner.headers);
    expect(await views()).toBe(before + 1);
    expect(user).toMatchObject({ id: owner.id, username: owner.username });
    expect(Object.keys(user)).not.toContain('email');
  });

  test('without id and uuid returns 400, and with an unknown uuid 404', async () => {
    expect((await app.inject({ url: '/api/v1/document' })).statusCode).toBe(400);
    expect((await app.inject({ url: '/api/v1/document?uuid=0123456789abcdef' })).statusCode).toBe(404);
  });
});

test('extractTitleKeywords returns the distinct words of a title with at least two characters, up to 255 characters in all', async () => {
  expect(await extractTitleKeywords('数学分析，数学分析与习题：第 2 版')).toBe('数学分析,习题');
  expect(await extractTitleKeywords('C++ Primer (第5版)')).toBe('C++,Primer');
  expect(await extractTitleKeywords('！？')).toBe('');
  const long = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
  const words = (await extractTitleKeywords(long)).split(',');
  expect(words).toEqual(long.split(' ').slice(0, words.length));
  expect(words.join().length).toBeLessThanOrEqual(255);
});

test('creating a document from an attachment of another type is rejected', async () => {
  const id = await newUpload(ctx, owner.id);
  await pool.query('update attachments set type = 1 where id = $1', [id]);
  const payload = { category_id: branch, document: [{ title: '头像', attachment_id: id }] };
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: owner.headers,
    payload,
  });
  expect(answer.json().code).toBe('document.wrongFile');
});

import { describe, expect, test } from 'vitest';
import { auditLogs } from '#modules/audit/audit.table.ts';
import { newDocument } from '#modules/favorite/favorite.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const { app, as, ctx, pool } = await testApp();
const root = await as.root();
const download = (path: string, headers = root) => app.inject({ url: `/api/v1${path}`, headers });
const linesOf = (body: string) => body.trimEnd().split('\r\n').slice(1);
const addUsers = (count: number, prefix: string) =>
  pool.query(
    `insert into users (username, password_hash, created_at)
     select $2 || n, '', now() from generate_series(1, $1::int) as n`,
    [count, prefix],
  );

const csvEndpoints = apiRoutes.flatMap(({ endpoint }) => (endpoint.download ? [endpoint] : []));

test('every list of the back-office has a CSV export', () => {
  expect(csvEndpoints.map(({ path }) => path).sort()).toEqual([
    '/article/list.csv',
    '/attachment/list.csv',
    '/audit/list.csv',
    '/banner/list.csv',
    '/category/list.csv',
    '/comment/list.csv',
    '/document/list.csv',
    '/document/recycle.csv',
    '/friendlink/list.csv',
    '/group/list.csv',
    '/mail/list.csv',
    '/permission/list.csv',
    '/report/list.csv',
    '/searchrecord/list.csv',
    '/searchrecord/words.csv',
    '/synonym/list.csv',
    '/user/list.csv',
  ]);
});

describe.each(csvEndpoints)('$path', ({ path, access, download: file }) => {
  test('returns a CSV file with Chinese column titles to users with the permission of the list', async () => {
    const staff = await as.userWith([access.slice('permission:'.length)]);
    const response = await download(path, staff);
    expect(response.statusCode, response.body).toBe(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent(file?.name ?? '')}`,
    );
    expect(response.body).toMatch(/^\uFEFF[^\r]*\p{Script=Han}[^\r]*\r\n/u);
    expect(response.body).not.toMatch(/undefined|\[object/);
  });

  test('rejects visitors with 401 and users without the permission with 403', async () => {
    expect((await download(path, as.visitor)).statusCode).toBe(401);
    expect((await download(path, await as.user())).statusCode).toBe(403);
  });
});

test('a CSV export applies the filters and order of the list, and escapes formulas in user text', async () => {
  await addUsers(3, '=cmd|');
  await addUsers(2, '其他');
  const { body } = await download(`/user/list.csv?wd=${encodeURIComponent('=cmd')}&order=id%20asc`);
  expect(linesOf(body).map((line) => line.split(',')[1])).toEqual(["'=cmd|1", "'=cmd|2", "'=cmd|3"]);
  expect((await download('/user/list.csv?order=password')).json()).toMatchObject({
    code: 'http.invalidInput',
  });
});

test('a CSV export of many pages contains every row once', async () => {
  await addUsers(1_200, '众人');
  const { body } = await download(`/user/list.csv?wd=${encodeURIComponent('众人')}`);
  const ids = linesOf(body).map((line) => line.split(',')[0]);
  expect(ids).toHaveLength(1_200);
  expect(new Set(ids).size).toBe(1_200);
});

test('a CSV export is recorded in the audit log with its filters and number of rows', async () => {
  await addUsers(2, '记名');
  await download(`/user/list.csv?wd=${encodeURIComponent('记名')}`);
  const entries = await ctx.db.select().from(auditLogs).orderBy(auditLogs.id);
  expect(entries.at(-1)).toMatchObject({
    username: 'admin',
    action: '导出用户',
    target: '用户 CSV 文件',
    after: { total: 2, wd: '记名' },
  });
  const auditResponse = await download('/audit/list?size=1');
  expect(auditResponse.json().audit[0].changes).toEqual([
    { field: '关键字', before: null, after: '记名' },
    { field: '条数', before: null, after: '2' },
  ]);
});

test('a rejected CSV export is not recorded in the audit log', async () => {
  const before = await countRows(ctx.db, auditLogs);
  await download('/user/list.csv', await as.user());
  await download('/user/list.csv?order=password');
  expect(await countRows(ctx.db, auditLogs)).toBe(before);
});

test('a CSV export writes times in the time zone of the site', async () => {
  await addUsers(1, '远方');
  await pool.query(`update users set created_at = '2026-01-02T19:04:05Z' where username = '远方1'`);
  await setSetting(ctx, 'system.timezone', 'Europe/Berlin');
  const { body } = await download(`/user/list.csv?wd=${encodeURIComponent('远方')}`);
  await setSetting(ctx, 'system.timezone', 'Asia/Shanghai');
  expect(body).toContain('2026-01-02 20:04:05');
});

test('a CSV export of comments filtered by words stops at its limit and says so', async () => {
  const { id } = await newDocument(ctx);
  await pool.query(
    `insert into comments (document_id, user_id, content, status, created_at)
     select $1, 1, '同样的话', 1, now() from generate_series(1, 10001)`,
    [id],
  );
  const lines = linesOf((await download(`/comment/list.csv?wd=${encodeURIComponent('同样')}`)).body);
  expect(lines).toHaveLength(10_001);
  expect(lines.at(-1)).toContain('已到 10000 条的上限');
  expect((await download(`/comment/list?wd=${encodeURIComponent('同样')}`)).json().total).toBe(10_000);
});

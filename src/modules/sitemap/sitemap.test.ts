import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { generateSitemap } from './generate-sitemap.ts';
import { sitemapFiles } from './sitemap.table.ts';

const { app, as, ctx, clock, pool } = await testApp();
clock.now = new Date();
await setSetting(ctx, 'system.domain', 'https://books.example');
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

const read = async (path: string) => (await app.inject(path)).body;
const generate = (input: { isFullBuildRequested?: boolean } = {}) =>
  generateSitemap.run(ctx, input, { signal: new AbortController().signal, attempt: 1 });
const publish = () => addConvertedDocument(ctx, owner, { category_id });
const change = (id: number, assignment: ReturnType<typeof sql>) =>
  ctx.db.execute(sql`update documents set updated_at = now(), ${assignment} where id = ${id}`);
const urlOf = (path: string) => `<loc>https://books.example${path}</loc>`;

test('the sitemap index lists its files, which list home page, categories, articles, documents and users', async () => {
  const id = await publish();
  await generate();
  const index = await read('/sitemap.xml');
  expect(index).toContain('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">');
  for (const name of ['pages', 'documents-1', 'users-1']) expect(index).toContain(urlOf(`/sitemap/${name}.xml`));
  const pages = await read('/sitemap/pages.xml');
  for (const path of ['/', '/category', `/category/${category_id[0]}`, '/article/about'])
    expect(pages).toContain(urlOf(path));
  const response = await app.inject('/sitemap/documents-1.xml');
  expect(response.headers['content-type']).toMatch(/xml/);
  expect(response.body).toContain(urlOf(`/document/${id}`));
  expect(response.body).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/);
  const usersFile = await read('/sitemap/users-1.xml');
  expect(usersFile).toContain(urlOf(`/user/${owner.id}`));
  expect(usersFile).not.toContain(urlOf('/user/1'));
});

test('the sitemap lists only documents that visitors may read, and drops hidden ones with the next run', async () => {
  const hidingChanges: ReturnType<typeof sql>[] = [
    ...[sql`visibility = 1`, sql`visibility = 2`, sql`review_state = 'disabled'`, sql`review_state = 'under-review'`],
    ...[sql`review_state = 'refused'`, sql`conversion_state = 'failed'`, sql`deleted_at = now()`],
  ];
  const ids: number[] = [];
  for (const _ of hidingChanges) ids.push(await publish());
  await generate();
  let file = await read('/sitemap/documents-1.xml');
  for (const id of ids) expect(file).toContain(urlOf(`/document/${id}`));
  for (const [at, hidingChange] of hidingChanges.entries()) await change(ids[at] ?? 0, hidingChange);
  await generate();
  file = await read('/sitemap/documents-1.xml');
  for (const id of ids) expect(file).not.toContain(urlOf(`/document/${id}`));
});

test('a sitemap file has up to 10000 URLs, and a run generates changed files only', async () => {
  const id = await publish();
  const replicaConnection = await pool.connect();
  await replicaConnection.query('set session_replication_role = replica');
  await replicaConnection.query(`
    insert into documents (id, user_id, rendition_id, title, ext, format, size, conversion_state, published_at)
    overriding system value
    select n, user_id, rendition_id, '第 ' || n || ' 本', ext, format, size, 'converted', now()
    from documents, generate_series(10001, 20500) n where id = ${id}`);
  await generate({ isFullBuildRequested: true });
  const urls = async (part: number) => ((await read(`/sitemap/documents-${part}.xml`)).match(/<url>/g) ?? []).length;
  expect([await urls(2), await urls(3)]).toEqual([10_000, 500]);
  expect((await app.inject('/sitemap/documents-4.xml')).statusCode).toBe(404);

  // All documents but one were changed a day ago.
  await replicaConnection.query(`update documents set updated_at = now() - interval '1 day'`);
  replicaConnection.release(true);
  await ctx.db.update(sitemapFiles).set({ body: '' });
  await change(20_001, sql`title = '改过'`);
  await generate();
  expect([await urls(1), await urls(2), await urls(3)]).toEqual([0, 0, 500]);
  // A full build runs once a day.
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  await generate();
  expect([await urls(2), await urls(3)]).toEqual([10_000, 500]);
});

test('PUT /sitemap starts a full build and requires its permission', async () => {
  const put = async (headers: { authorization?: string }) =>
    (await app.inject({ method: 'PUT', url: '/api/v1/sitemap', headers })).statusCode;
  expect([await put({}), await put(await as.user())]).toEqual([401, 403]);
  const queuedJobs = async () => {
    const { rows } = await pool.query(
      `select data from pgboss.job where name = 'generate-sitemap' and state = 'created'`,
    );
    return rows.map(({ data }) => data);
  };
  const before = (await queuedJobs()).length;
  expect(await put(await as.userWith(['ConfigAPI/UpdateSitemap']))).toBe(200);
  expect((await queuedJobs()).slice(before)).toEqual([{ isFullBuildRequested: true }]);
});

test('sitemap URLs use the current site address', async () => {
  await setSetting(ctx, 'system.domain', 'https://moved.example');
  expect(await read('/sitemap/documents-1.xml')).not.toContain('books.example');
  expect(await read('/sitemap.xml')).toContain('https://moved.example/sitemap/documents-1.xml');
});

test.each(['/sitemap/x.xml', '/sitemap/documents-0.xml', '/sitemap/documents-1', '/sitemap/..%2f'])(
  'the invalid sitemap file %s returns 404',
  async (path) => {
    expect((await app.inject(path)).statusCode).toBe(404);
  },
);

test('the sitemap lists every article of several pages', async () => {
  await pool.query(
    `insert into articles (identifier, title, content)
     select 'page-' || n, '第 ' || n || ' 页', '' from generate_series(1, 230) as n`,
  );
  const pages = await read('/sitemap/pages.xml');
  expect(pages.match(/\/article\/page-/g)).toHaveLength(230);
});

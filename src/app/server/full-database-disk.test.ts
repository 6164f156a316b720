import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';
import { apiRoutes } from './routes.ts';

const HOUR_MS = 60 * 60 * 1000;
/** A captcha, a download and an export must be recorded. */
const WRITING_PATHS = ['/user/captcha', '/document/download'];

const { app, as, ctx, clock, pool } = await testApp({
  runJobs: true,
  build: join(projectRoot, 'build'),
  env: { LOG_LEVEL: 'fatal' },
});
const publisher = await newPublisher(ctx);
const id = await publisher.publish(makePdf({ pages: 2 }), '.pdf', { title: '满盘' });
const callers = { visitor: as.visitor, member: await as.user(), administrator: await as.root() };
/** The last use of a session is updated at most once per hour. */
clock.now = new Date(clock.now.getTime() + 2 * HOUR_MS);
// The first request creates the secrets of the site.
await app.inject(`/api/v1/document?id=${id}&with_author=1`);
const pages = (await app.inject(`/api/v1/document/pages?id=${id}`)).json();

/** Values of query parameters, so that most endpoints find a row. */
const values: Record<string, string> = {
  id: String(id),
  document_id: String(id),
  user_id: String(publisher.id),
  identifier: 'about',
  wd: '满盘',
  page: '1',
  with_author: '1',
};

await pool.query(`create function refuse_rows() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
const { rows: tables } = await pool.query(
  `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
);
for (const { table_name } of tables)
  await pool.query(
    `create trigger full_disk before insert or update on "${table_name}" for each row execute function refuse_rows()`,
  );
// The list of near-copies must work before the sketch of the document is stored.
await pool.query('delete from near_copy_sketches');

const endpoints = apiRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ method, path, download }) => method === 'GET' && !download && !WRITING_PATHS.includes(path));

test.each(Object.keys(callers) as (keyof typeof callers)[])(
  'every GET endpoint answers the %s when the disk of the database is full',
  async (caller) => {
    expect(endpoints.length).toBeGreaterThan(50);
    const failures: string[] = [];
    for (const { path, input } of endpoints) {
      const names = Object.keys(input._zod.def.shape).filter((name) => values[name] !== undefined);
      const query = new URLSearchParams(Object.fromEntries(names.map((name) => [name, values[name] ?? ''])));
      const response = await app.inject({ url: `/api/v1${path}?${query}`, headers: callers[caller] });
      if (response.statusCode >= 500) failures.push(`${path} ${response.statusCode} ${response.body.slice(0, 100)}`);
    }
    expect(failures).toEqual([]);
  },
);

test.each([
  ...['/', `/document/${id}`, `/document/${id}/text`, '/search?wd=满盘', `/user/${publisher.id}`, '/article/about'],
  `/api/v1/document?id=${id}&with_author=1`,
  '/api/v1/article?identifier=about',
  pages.page[0].url as string,
])('%s is readable when the disk of the database is full', async (url) => {
  for (const headers of Object.values(callers)) expect((await app.inject({ url, headers })).statusCode).toBe(200);
});

/**
 * `npm run bench:large -- --data <folder>`: how soon every list, page and back-office screen answers on the
 * site that `npm run seed:large` made. Each is asked as whom it is for, cold pages of the cache included.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { apiRoutes } from '#app/server/routes.ts';
import { hashPassword } from '#modules/user/password.ts';
import { benchReport } from './bench-report.ts';
import { percentile } from './bench-search-queries.ts';
import { killableServer } from './killable-server.ts';
import { siteClient } from './site-client.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (!values.data) throw new Error('--data <folder> is missing');
const { report, exitCode } = benchReport();
const ROUNDS = 20;
const LIMIT_MS = 200;

/** Measured by the bench of the search, or about a file and not a list. */
const elsewhere = /search|\/user\/captcha|\/document\/(download|sharp)$|bereviewed/;

const server = await killableServer(values.data);
await server.start('web');
const pool = new pg.Pool({ connectionString: await server.databaseUrl() });
try {
  // Whoever seeded it is not here to tell the password.
  await pool.query("update users set password_hash = $1 where username = 'admin'", [
    await hashPassword('torture-password'),
  ]);
  const { rows } = await pool.query<{ document: string; busy: string; reader: string }>(`
    select (select id from documents where status = 2 order by comment_count desc limit 1) as document,
      (select id from users order by doc_count desc limit 1) as busy,
      (select document_id from comments order by id desc limit 1) as reader`);
  const found = rows[0];
  if (!found) throw new Error('the site is empty');
  const { bearer } = await siteClient(server.api);
  const samples: Record<string, string> = {
    ...{
      id: found.document,
      document_id: found.document,
      user_id: found.busy,
      identifier: 'about',
    },
    ...{ wd: '索引', page: '1', type: 'fans', part: '1' },
  };
  const ask = async (path: string, headers: Record<string, string>) => {
    const began = performance.now();
    const answer = await fetch(`${server.origin}${path}`, { headers });
    await answer.arrayBuffer();
    if (answer.status >= 500) throw new Error(`${path}: ${answer.status}`);
    return { status: answer.status, ms: performance.now() - began };
  };
  const measure = async (path: string, headers: Record<string, string> = {}, vary = '') => {
    const { status } = await ask(path, headers);
    if (status !== 200) return console.log(`${path}: ${status}, not measured`);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      times.push((await ask(`${path}${vary}${vary ? round : ''}`, headers)).ms);
    const p95 = percentile(times, 0.95);
    report(
      path,
      { p50_ms: percentile(times, 0.5), p95_ms: p95, limit_ms: LIMIT_MS },
      p95 <= LIMIT_MS,
    );
  };
  for (const { endpoint } of apiRoutes) {
    if (endpoint.method !== 'GET' || elsewhere.test(endpoint.path)) continue;
    const names = Object.keys(endpoint.input._zod.def.shape);
    const isList = names.includes('size') && !/(pages|words)$/.test(endpoint.path);
    const wanted = isList
      ? names.filter((name) => ['document_id', 'user_id'].includes(name))
      : names.filter((name) => name !== 'wd' || endpoint.path.endsWith('/find'));
    const query = new URLSearchParams(
      wanted.flatMap((name): [string, string][] => (samples[name] ? [[name, samples[name]]] : [])),
    );
    const path = `/api/v1${endpoint.path}`;
    const headers = endpoint.access === 'public' ? {} : bearer;
    if (!isList) {
      await measure(query.size > 0 ? `${path}?${query}` : path, headers);
      continue;
    }
    // The whole list as the back-office asks, what belongs to one, a word, and a page far inside.
    await measure(`${path}?page=1&size=20`, bearer);
    await measure(`${path}?page=100&size=20`, bearer);
    if (query.size > 0) await measure(`${path}?page=1&size=20&${query}`, headers);
    if (names.includes('wd'))
      await measure(`${path}?page=1&size=20&wd=${encodeURIComponent('读者')}`, bearer);
  }
  const pages = [
    '/',
    '/category',
    '/category/1',
    '/category/2?page=50',
    '/article/about',
    '/upload',
  ];
  pages.push(`/document/${found.document}`, `/document/${found.document}/text`);
  for (const tab of ['', '/document', '/fans', '/favorite', '/follow'])
    pages.push(`/user/${found.busy}${tab}`);
  // A question that differs each time is never answered from memory.
  for (const page of pages) await measure(page, {}, page.includes('?') ? '&fresh=' : '?fresh=');
} finally {
  await pool.end();
  await server.stop();
}
process.exitCode = exitCode();

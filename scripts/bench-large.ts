/**
 * `npm run bench:large -- --data <folder>`: how soon every list, page and back-office screen answers on the
 * site that `npm run seed:large` made. Each is asked as whom it is for, cold pages of the cache included;
 * a list in each of its orders and by each of its filters, of which the slowest is told.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { apiRoutes } from '#app/server/routes.ts';
import { sorts } from '#modules/document/web/list-query.ts';
import { hashPassword } from '#modules/user/password.ts';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { benchReport } from './bench-report.ts';
import { percentile } from './bench-search-queries.ts';
import { killableServer } from './killable-server.ts';
import { siteClient } from './site-client.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (!values.data) throw new Error('--data <folder> is missing');
const { report, exitCode } = benchReport();
const ROUNDS = 20;
const LIMIT_MS = 200;
type Headers = Record<string, string>;

/** Measured by the bench of the search, or about a file and not a list. */
const elsewhere =
  /\/document\/search|\/search\/suggest|\/user\/captcha|\/document\/(download|sharp)$|bereviewed/;

/** Whose `id` an address takes; the document's, unless it stands here. */
const tables: Record<string, string> = {
  ...{ '/mail': 'mails', '/group': 'roles', '/group/permission': 'roles', '/user': 'users' },
  ...{ '/permission': 'permissions', '/attachment': 'attachments', '/category': 'categories' },
  ...{ '/article': 'articles', '/banner': 'banners', '/friendlink': 'friend_links' },
  ...{ '/favorite/folder': 'favorite_folders', '/comment': 'comments' },
};

const server = await killableServer(values.data);
await server.start('web');
const pool = new pg.Pool({ connectionString: await server.databaseUrl() });

async function timeOf(path: string, headers: Headers) {
  const began = performance.now();
  const answer = await fetch(`${server.origin}${path}`, { headers });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  // An export is a file of up to 50,000 lines that is written while it is sent: it answers with its first.
  if (path.includes('.csv')) {
    const lines = answer.body?.getReader();
    await lines?.read();
    const ms = performance.now() - began;
    await lines?.cancel();
    return ms;
  }
  await answer.arrayBuffer();
  return performance.now() - began;
}

/** Asks each question several times and tells of the one that took longest. */
async function measure(path: string, questions: string[], headers: Headers, isVaried = false) {
  let slowest = { question: '', p50: 0, p95: 0 };
  for (const question of questions) {
    const asked = question ? `${path}?${question}` : path;
    await timeOf(asked, headers);
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      // A question that differs each time is never answered from memory.
      const fresh = isVaried ? `${question ? '&' : '?'}fresh=${round}` : '';
      times.push(await timeOf(`${asked}${fresh}`, headers));
    }
    const p95 = percentile(times, 0.95);
    if (p95 > slowest.p95) slowest = { question, p50: percentile(times, 0.5), p95 };
  }
  const { question, p50, p95 } = slowest;
  const figures = { questions: questions.length, p50_ms: p50, p95_ms: p95, limit_ms: LIMIT_MS };
  report(question ? `${path}?${question}` : path, figures, p95 <= LIMIT_MS);
}

const namesOf = (endpoint: Endpoint) => Object.keys(endpoint.input._zod.def.shape);
const keysOfFirst = async (path: string, headers: Headers): Promise<string[]> => {
  const answer = await fetch(`${server.origin}${path}?page=1&size=1`, { headers });
  const rows = Object.values((await answer.json()) as object).find(Array.isArray) ?? [];
  return Object.keys(rows[0] ?? {});
};

try {
  // Whoever seeded it is not here to tell the password.
  await pool.query("update users set password_hash = $1 where username = 'admin'", [
    await hashPassword('torture-password'),
  ]);
  const { rows } = await pool.query<{ document: string; busy: string; category: string }>(`
    select (select id from documents where status = 2 order by comment_count desc limit 1) as document,
      (select id from users order by doc_count desc limit 1) as busy,
      (select category_id from document_categories group by 1 order by count(*) desc limit 1) as category`);
  const found = rows[0];
  if (!found?.document) throw new Error('the site is empty');
  const { bearer } = await siteClient(server.api);

  /** What each filter is asked for; one that is empty is not asked. */
  const filters: Record<string, string[]> = {
    ...{ document_id: [found.document], user_id: [found.busy], category_id: [found.category] },
    ...{ status: ['0', '1', '2'], enable: ['true', 'false'], is_recommend: ['true', 'false'] },
    ...{ ext: ['pdf'], fee_type: ['free', 'charge'], language: ['zh'], parent_id: ['0'] },
    ...{ is_empty: ['true'], days: ['30'], is_read: ['false'], unfinished: ['true'] },
    ...{ created_at: ['2026-01-01'], with_reply: ['true'], wd: ['读者', '数', '没有这样的词'] },
    ...{ action: ['修改文档'], group_id: ['1', '2'], reason: ['1'] },
  };
  const samples: Record<string, string> = {
    ...{ document_id: found.document, user_id: found.busy, identifier: 'about', page: '1' },
    ...{ wd: '索引', part: '1' },
  };
  const idOf = async (path: string) => {
    const table = tables[path];
    if (!table) return found.document;
    return (await pool.query<{ id: string }>(`select min(id) as id from ${table}`)).rows[0]?.id;
  };
  for (const { endpoint } of apiRoutes) {
    if (endpoint.method !== 'GET' || elsewhere.test(endpoint.path)) continue;
    const names = namesOf(endpoint);
    const path = `/api/v1${endpoint.path}`;
    const callers = endpoint.access === 'public' ? [{}, bearer] : [bearer];
    const isList = names.includes('size') && !/(pages|words)$/.test(endpoint.path);
    for (const headers of callers) {
      if (isList) {
        const orders = (await keysOfFirst(path, headers)).flatMap((key) => [
          `order=${key} desc`,
          `order=${key} asc`,
        ]);
        const filtered = names.flatMap((name) =>
          (filters[name] ?? []).map((value) => `${name}=${encodeURIComponent(value)}`),
        );
        const questions = ['page=1', 'page=100', ...orders, ...filtered];
        await measure(
          path,
          questions.map((each) => `size=20&${each}`),
          headers,
        );
      } else {
        const query = new URLSearchParams();
        for (const name of names) {
          const value = name === 'id' ? await idOf(endpoint.path) : samples[name];
          if (value && (name !== 'wd' || endpoint.path.endsWith('/find'))) query.set(name, value);
        }
        await measure(path, [String(query)], headers);
      }
    }
  }
  const pages = ['/', '/category', '/article/about', '/upload', '/sitemap.xml'];
  pages.push('/feed.atom', `/category/${found.category}/feed.atom`, `/user/${found.busy}/feed.rss`);
  pages.push(`/document/${found.document}`, `/document/${found.document}/text`);
  for (const tab of ['', '/document', '/fans', '/favorite', '/follow'])
    pages.push(`/user/${found.busy}${tab}`);
  for (const page of pages) await measure(page, [''], {}, true);
  const shelves = ['page=1', 'page=50', 'ext=pdf', 'fee_type=free', 'duration=year'];
  for (const sort of Object.keys(sorts)) shelves.push(`sort=${sort}`);
  await measure(`/category/${found.category}`, shelves, {}, true);
} finally {
  await pool.end();
  await server.stop();
}
process.exitCode = exitCode();

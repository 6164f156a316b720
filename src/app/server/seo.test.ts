import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { errorBody, httpErrors } from '#platform/contract/errors.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, clock, as } = await testApp({ build: join(projectRoot, 'build'), runJobs: true });
clock.now = new Date();
vi.useFakeTimers({ toFake: ['performance'] });
const SITE = 'https://books.example';
await setSetting(ctx, 'system.domain', SITE);
const owner = await newPublisher(ctx);
const title = '教案 </script><b>与讲义</b>';
const id = await owner.publish(makePdf(), '.pdf', { title });

async function headOf(path: string) {
  const { body } = await app.inject(path);
  const meta = (name: string) => new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(body)?.[1];
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)?.[1] ?? '[]';
  return {
    body,
    meta,
    canonical: /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1],
    feeds: [...body.matchAll(/<link rel="alternate"[^>]* href="([^"]*)"/g)].map(([, to]) => to),
    data: JSON.parse(json) as Record<string, unknown>[],
  };
}

test('the home page has structured data for site search, a canonical URL and links to its feeds', async () => {
  const { data, feeds, canonical } = await headOf('/');
  expect(data).toEqual([
    {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: '豆库',
      url: `${SITE}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${SITE}/search?wd={search_term_string}`,
        },
        'query-input': 'required name=search_term_string',
      },
    },
  ]);
  expect(canonical).toBe(`${SITE}/`);
  expect(feeds).toEqual(['/feed.atom', '/feed.rss']);
});

test.each(['/', '/login', '/category', '/article/about', '/user/1', '/no-such-page'])(
  '%s has the language zh-CN and a Chinese title',
  async (path) => {
    const { body } = await headOf(path);
    expect(body).toContain('<html lang="zh-CN"');
    expect(/<title>([^<]+)<\/title>/.exec(body)?.[1]).toMatch(/\p{Script=Han}/u);
  },
);

test('the page of a document has one canonical URL, its cover, and structured data with author and breadcrumb', async () => {
  const { rows } = await ctx.db.execute<{ uuid: string }>(sql`select uuid from documents where id = ${id}`);
  for (const path of [`/document/${id}`, `/document/${rows[0]?.uuid}`]) {
    const { data, meta, canonical } = await headOf(path);
    expect(canonical).toBe(`${SITE}/document/${id}`);
    expect(meta('og:type')).toBe('article');
    expect(meta('og:image')).toMatch(/^https:\/\/books\.example\/view\/.+cover\.webp/);
    const [document, breadcrumb] = data;
    expect(document).toMatchObject({
      '@type': 'DigitalDocument',
      name: title,
      url: `${SITE}/document/${id}`,
      author: { '@type': 'Person', url: `${SITE}/user/${owner.id}` },
      isAccessibleForFree: true,
    });
    expect(document).not.toHaveProperty('aggregateRating');
    expect(breadcrumb).toMatchObject({ '@type': 'BreadcrumbList' });
    const steps = (breadcrumb as { itemListElement: { name: string }[] }).itemListElement;
    expect(steps.length).toBe(4);
    expect([steps[0]?.name, steps.at(-1)?.name]).toEqual(['首页', title]);
  }
});

test('robots.txt names the sitemap, and excludes all robots on a site that requires a login', async () => {
  const read = async () => {
    const { statusCode, headers, body } = await app.inject('/robots.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    return body.trim().split('\n');
  };
  const openRobots = await read();
  expect(openRobots).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  expect(openRobots).not.toContain('Disallow: /');
  expect((await app.inject('/sitemap.xml')).body).toContain('<sitemapindex');
  await setSetting(ctx, 'security.login_required', 'true');
  expect(await read()).toEqual(['User-agent: *', 'Disallow: /']);
  await setSetting(ctx, 'security.login_required', 'false');
});

test('the page of a user has structured profile data and links to the feeds of the user', async () => {
  const { data, feeds, meta } = await headOf(`/user/${owner.id}`);
  expect(data).toMatchObject([
    {
      '@type': 'ProfilePage',
      mainEntity: { '@type': 'Person', name: owner.username, url: `${SITE}/user/${owner.id}` },
    },
  ]);
  expect(meta('og:type')).toBe('profile');
  expect(feeds).toEqual([`/user/${owner.id}/feed.atom`, `/user/${owner.id}/feed.rss`]);
});

test('the page of a category has a breadcrumb and links to its feeds', async () => {
  const { data, feeds } = await headOf('/category/2');
  const [{ itemListElement } = { itemListElement: [] }] = data;
  expect((itemListElement as { item: string }[]).map(({ item }) => item)).toEqual([
    `${SITE}/`,
    `${SITE}/category/1`,
    `${SITE}/category/2`,
  ]);
  expect(feeds).toEqual(['/category/2/feed.atom', '/category/2/feed.rss']);
});

test('a noindex page has neither a canonical URL nor structured data nor feeds', async () => {
  const { data, canonical, feeds, meta } = await headOf(`/user/${owner.id}/document`);
  expect([data, canonical, feeds]).toEqual([[], undefined, []]);
  expect(meta('robots')).toBe('noindex');
});

test('the home page without scripts shows the number of documents and the top sharers of the week', async () => {
  vi.advanceTimersByTime(60_000);
  const { body } = await headOf('/');
  const text = body.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]+>/g, ' ');
  expect(text).toMatch(/收录文档\s+1\s/);
  expect(text).toContain('本周分享达人');
  expect(text).toMatch(new RegExp(`${owner.username}\\s+1\\s+篇文档`));
});

test('a malformed URL is answered with the error page, and with JSON on API paths', async () => {
  for (const url of ['/%E0%A4%A', '/document/%']) {
    const page = await app.inject(url);
    expect([url, page.statusCode]).toEqual([url, 400]);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/);
    expect(page.body).toMatch(/<h1[^>]*>网址不正确，请检查后重试<\/h1>.*返回首页/s);
  }
  const response = await app.inject('/api/v1/%E0%A4%A');
  expect([response.statusCode, response.json()]).toEqual([
    400,
    errorBody(httpErrors.badRequest('网址不正确，请检查后重试')),
  ]);
});

test('pages that need JavaScript say so when it is disabled', async () => {
  for (const url of ['/login', '/register', '/upload', '/redirect/admin', '/admin', '/notification'])
    expect((await app.inject(url)).body, url).toMatch(
      /<noscript>.*本页需要浏览器启用 JavaScript，请启用后刷新页面。.*<\/noscript>/s,
    );
});

test('a search opened by its URL is recorded once, for the logged-in user', async () => {
  const remoteAddress = '203.0.113.7';
  const headers = { 'user-agent': 'Mozilla/5.0 (books)' };
  await app.inject({ url: `/search?wd=${encodeURIComponent('教案')}`, remoteAddress, headers });
  await app.inject({
    url: '/api/v1/document/search',
    query: { wd: '教案' },
    remoteAddress,
    headers: { ...headers, ...owner.headers },
  });
  const { rows } = await ctx.db.execute(
    sql`select ip, user_agent, user_id::int from search_records where keywords = '教案'`,
  );
  expect(rows).toEqual([{ ip: remoteAddress, user_agent: headers['user-agent'], user_id: owner.id }]);
});

test('the address of a merged document leads to the other one until it is restored, and browsers store nothing', async () => {
  const mergedId = await owner.publish(makePdf({ text: () => 'merged' }), '.pdf');
  const uuid = (await app.inject(`/api/v1/document?id=${mergedId}`)).json().uuid;
  const payload = { id: mergedId, into: id };
  const headers = await as.root();
  const merge = await app.inject({ method: 'POST', url: '/api/v1/document/merge', headers, payload });
  expect(merge.statusCode, merge.body).toBe(200);
  for (const key of [mergedId, uuid]) {
    const response = await app.inject(`/document/${key}`);
    expect([response.statusCode, response.headers.location]).toEqual([302, `/document/${id}`]);
    expect(response.headers['cache-control']).toBe('no-store');
  }
  await app.inject({ method: 'PUT', url: '/api/v1/document/recycle', headers, payload: { id: [mergedId] } });
  expect((await app.inject(`/document/${mergedId}`)).statusCode).toBe(200);
  expect((await app.inject('/document/999999')).statusCode).toBe(404);
});

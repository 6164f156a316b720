import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { errorBody, httpErrors } from '#platform/contract/errors.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx, clock } = await testApp({ build: join(projectRoot, 'build'), runJobs: true });
clock.now = new Date();
vi.useFakeTimers({ toFake: ['performance'] });
const SITE = 'https://books.example';
await setSetting(ctx, 'system.domain', SITE);
const owner = await newPublisher(ctx);
const title = '教案 </script><b>与讲义</b>';
const id = await owner.publish(makePdf(), '.pdf', { title });

/** What a search engine finds in the head of a page. */
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

test('the home page tells how the site is searched, and offers its feeds', async () => {
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
  'the interface language is Chinese on %s',
  async (path) => {
    const { body } = await headOf(path);
    expect(body).toContain('<html lang="zh-CN"');
    expect(/<title>([^<]+)<\/title>/.exec(body)?.[1]).toMatch(/\p{Script=Han}/u);
  },
);

test('a document has one address, its cover, its author and the way to it', async () => {
  const { rows } = await ctx.db.execute<{ uuid: string }>(sql`select uuid from documents where id = ${id}`);
  for (const path of [`/document/${id}`, `/document/${rows[0]?.uuid}`]) {
    const { data, meta, canonical } = await headOf(path);
    expect(canonical).toBe(`${SITE}/document/${id}`);
    expect(meta('og:type')).toBe('article');
    expect(meta('og:image')).toMatch(/^https:\/\/books\.example\/view\/.+cover\.webp/);
    const [document, way] = data;
    expect(document).toMatchObject({
      '@type': 'DigitalDocument',
      name: title,
      url: `${SITE}/document/${id}`,
      author: { '@type': 'Person', url: `${SITE}/user/${owner.id}` },
      isAccessibleForFree: true,
    });
    expect(document).not.toHaveProperty('aggregateRating');
    expect(way).toMatchObject({ '@type': 'BreadcrumbList' });
    const steps = (way as { itemListElement: { name: string }[] }).itemListElement;
    expect(steps.length).toBe(4);
    expect([steps[0]?.name, steps.at(-1)?.name]).toEqual(['首页', title]);
  }
});

test('search engines are shown the way to the site map, and kept out of a site that asks for a login', async () => {
  const read = async () => {
    const { statusCode, headers, body } = await app.inject('/robots.txt');
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
    return body.trim().split('\n');
  };
  const open = await read();
  expect(open).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  expect(open).not.toContain('Disallow: /');
  expect((await app.inject('/sitemap.xml')).body).toContain('<sitemapindex');
  await setSetting(ctx, 'security.login_required', 'true');
  expect(await read()).toEqual(['User-agent: *', 'Disallow: /']);
  await setSetting(ctx, 'security.login_required', 'false');
});

test('a user home is a profile, and has feeds of what is shared', async () => {
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

test('a category shows its way and its feeds', async () => {
  const { data, feeds } = await headOf('/category/2');
  const [{ itemListElement } = { itemListElement: [] }] = data;
  expect((itemListElement as { item: string }[]).map(({ item }) => item)).toEqual([
    `${SITE}/`,
    `${SITE}/category/1`,
    `${SITE}/category/2`,
  ]);
  expect(feeds).toEqual(['/category/2/feed.atom', '/category/2/feed.rss']);
});

test('pages that nobody should find have neither address nor data', async () => {
  const { data, canonical, feeds, meta } = await headOf(`/user/${owner.id}/document`);
  expect([data, canonical, feeds]).toEqual([[], undefined, []]);
  expect(meta('robots')).toBe('noindex');
});

test('without scripts the home page tells how much there is and who shared it this week', async () => {
  vi.advanceTimersByTime(60_000);
  const { body } = await headOf('/');
  const text = body.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]+>/g, ' ');
  expect(text).toMatch(/收录文档\s+1\s/);
  expect(text).toContain('本周分享达人');
  expect(text).toMatch(new RegExp(`${owner.username}\\s+1\\s+篇文档`));
});

test('an address that is not well formed gets the error page, and programs an answer in JSON', async () => {
  for (const url of ['/%E0%A4%A', '/document/%']) {
    const page = await app.inject(url);
    expect([url, page.statusCode]).toEqual([url, 400]);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/);
    expect(page.body).toMatch(/<h1[^>]*>网址不正确，请检查后重试<\/h1>.*返回首页/s);
  }
  const answer = await app.inject('/api/v1/%E0%A4%A');
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    errorBody(httpErrors.badRequest('网址不正确，请检查后重试')),
  ]);
});

test('pages that are made in the browser say so where scripts are off', async () => {
  for (const url of ['/login', '/register', '/upload', '/redirect/admin', '/admin', '/notification'])
    expect((await app.inject(url)).body, url).toMatch(
      /<noscript>.*本页需要浏览器启用 JavaScript，请启用后刷新页面。.*<\/noscript>/s,
    );
});

test('a search by its address is noted once, for whoever asked', async () => {
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

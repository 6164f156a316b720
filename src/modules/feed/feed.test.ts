import { sql } from 'drizzle-orm';
import { parseDocument } from 'htmlparser2';
import { beforeEach, expect, test, vi } from 'vitest';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp();
await setSetting(ctx, 'system.domain', 'https://books.example');
const owner = await newUploader(ctx);
const [top = 0, child = 0] = await createCategoryChain(ctx);

async function publish(title: string, change = sql`visibility = 0`) {
  const id = await addConvertedDocument(ctx, owner, { title, category_id: [top, child] });
  await ctx.db.execute(sql`update documents set ${change} where id = ${id}`);
  return id;
}
const read = (path: string) => app.inject(path);
/** Texts of all elements with this name in document order. */
function texts(xml: string, name: string): string[] {
  const elementTexts: string[] = [];
  const walk = (nodes: ReturnType<typeof parseDocument>['children']) => {
    for (const node of nodes) {
      if (!('children' in node)) continue;
      const [inner] = node.children;
      if ('name' in node && node.name === name) elementTexts.push(inner && 'data' in inner ? inner.data : '');
      walk(node.children);
    }
  };
  walk(parseDocument(xml, { xmlMode: true, decodeEntities: true }).children);
  return elementTexts;
}

// Feeds are cached for 30 seconds.
vi.useFakeTimers({ toFake: ['performance'] });
beforeEach(() => {
  vi.advanceTimersByTime(30_001);
});

test.each([
  ['/feed.atom', 'application/atom+xml'],
  ['/feed.rss', 'application/rss+xml'],
  [`/category/${child}/feed.atom`, 'application/atom+xml'],
  [`/category/${top}/feed.rss`, 'application/rss+xml'],
  [`/user/${owner.id}/feed.atom`, 'application/atom+xml'],
  [`/user/${owner.id}/feed.rss`, 'application/rss+xml'],
])('%s lists the newest documents that a visitor can read', async (path, type) => {
  const title = `<b>"新书" & 旧书</b> ${path}`;
  const id = await publish(title);
  const hiddenIds = [
    await publish('仅自己可见', sql`visibility = 2`),
    await publish('待审核', sql`review_state = 'under-review'`),
    await publish('回收站里', sql`deleted_at = now()`),
  ];
  const response = await read(path);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain(type);
  // The first title is that of the feed.
  expect(texts(response.body, 'title')[1]).toBe(title);
  const address = texts(response.body, type.includes('atom') ? 'id' : 'link')[1];
  expect(address).toBe(`https://books.example/document/${id}`);
  expect(response.body).toContain(`href="https://books.example${path}"`);
  for (const hiddenId of hiddenIds) expect(response.body).not.toContain(`/document/${hiddenId}<`);
});

test('a feed has at most twenty entries and the time of their latest update', async () => {
  for (let at = 0; at < 22; at++) await publish(`第 ${at} 本`);
  const { body } = await read('/feed.atom');
  expect(body.match(/<entry>/g)).toHaveLength(20);
  const [feedUpdate = '', ...entryUpdates] = texts(body, 'updated');
  expect(feedUpdate).toBe(entryUpdates.toSorted().at(-1));
});

test('feeds sort a late approved document by its publication', async () => {
  const lateApprovedId = await publish('早已上传');
  for (let at = 0; at < 21; at++) await publish(`随后的 ${at}`);
  const approvedAt = new Date(Date.now() + 3_600_000).toISOString();
  await ctx.db.execute(sql`update documents set published_at = ${approvedAt} where id = ${lateApprovedId}`);
  for (const path of ['/feed.atom', `/category/${child}/feed.atom`, `/user/${owner.id}/feed.atom`]) {
    const { body } = await read(path);
    expect(texts(body, 'title')[1]).toBe('早已上传');
    expect(texts(body, 'published')[0]).toBe(approvedAt);
  }
  await ctx.db.execute(sql`update documents set published_at = created_at where id = ${lateApprovedId}`);
});

test.each(['/category/999999/feed.atom', '/user/999999/feed.rss', '/user/x/feed.atom'])(
  '%s of an unknown category or user returns 404',
  async (path) => {
    expect((await read(path)).statusCode).toBe(404);
  },
);

test('feeds return 401 when the site requires login', async () => {
  await setSetting(ctx, 'security.login_required', 'true');
  expect((await read('/feed.atom')).statusCode).toBe(401);
  await setSetting(ctx, 'security.login_required', 'false');
});

test('a document that became private leaves a cached feed without delay', async () => {
  const title = `不再公开 ${crypto.randomUUID()}`;
  const id = await publish(title);
  expect((await read('/feed.atom')).body).toContain(title);
  const payload = { id, visibility: 2 };
  const response = await app.inject({ method: 'PUT', url: '/api/v1/document', headers: owner.headers, payload });
  expect(response.statusCode).toBe(200);
  await expect.poll(async () => (await read('/feed.atom')).body).not.toContain(title);
  expect((await read('/feed.atom')).headers['cache-control']).toBe('no-cache');
});

import { setTimeout as sleep } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import type { InjectOptions } from 'fastify';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { createCategoryChain, newUpload, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newMember, newRole } from '#modules/role/role.fixture.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string; cookie?: string; 'if-none-match'?: string };
const { app, ctx, as } = await testApp({ runJobs: true });
// The cache of rights keeps this object and reads the time from it; fake timers would put another in its place.
const realNow = performance.now.bind(performance);
let clockAdvanceMs = 0;
const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + clockAdvanceMs);
afterAll(() => clock.mockRestore());

const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

const get = (url: string, headers: Headers = {}) => app.inject({ method: 'GET', url, headers });
const pagesOf = (id: number, headers: Headers = {}) => get(`/api/v1/document/pages?id=${id}`, headers);
const statusOf = async (url: string, headers: Headers = {}) => (await get(url, headers)).statusCode;
/** Expects the status two seconds later, when the cached rights have expired. */
async function expectLaterStatus(url: string, status: number, headers: Headers = {}) {
  clockAdvanceMs += 2_001;
  // The cache reads the clock at most once a millisecond.
  await sleep(5);
  expect(await statusOf(url, headers)).toBe(status);
}
/** The cookie that a page request sets for /view. */
const cookieOf = async (id: number, headers: Headers) => {
  const cookies = [(await pagesOf(id, headers)).headers['set-cookie'] ?? []].flat();
  const cookie = cookies.find((each) => each.startsWith('douku_view=')) ?? '';
  expect(cookie).toMatch(/; Path=\/view; HttpOnly; SameSite=Lax$/);
  return { cookie: cookie.split(';')[0] ?? '' };
};

const newPdf = () => makePdf({ pages: 4, text: () => crypto.randomUUID() });

async function publish(bytes = newPdf(), ext = '.pdf'): Promise<number> {
  const attachment_id = await newUpload(ctx, owner.id, { bytes, ext });
  const title = `有权才能看 ${crypto.randomUUID()}`;
  await app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: owner.headers,
    payload: { category_id, document: [{ title, attachment_id, price: 0 }] },
  });
  const [row] = await ctx.db.select().from(documents).where(eq(documents.title, title));
  await waitForRendition(ctx, row?.rendition_id ?? 0);
  return row?.id ?? 0;
}

/** A book of one chapter, which is text with a picture and no page image. */
async function publishBook(): Promise<number> {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const html = `<h1>第一章</h1><p>${crypto.randomUUID()}</p><img src="pic.png" alt="图"/>`;
  const chapters = [{ title: '第一章', html }];
  return publish(makeEpub(chapters, [{ name: 'OPS/pic.png', body: picture }]), '.epub');
}

const id = await publish();
const bookId = await publishBook();
const change = (values: Partial<typeof documents.$inferInsert>) =>
  ctx.db
    .update(documents)
    .set(values)
    .where(inArray(documents.id, [id, bookId]));

const coverOf = async (documentId: number): Promise<string> =>
  (await get(`/api/v1/document?id=${documentId}`)).json().cover;
async function pictureOf(documentId: number): Promise<string> {
  const { html } = (await pagesOf(documentId)).json().page[0];
  return /src="(\/view\/[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** Sends a request of an administrator. */
async function manage(request: InjectOptions) {
  const response = await app.inject({ ...request, headers: await as.root() });
  expect(response.statusCode, response.body).toBe(200);
}

async function erase(documentId: number) {
  const headers = await as.root();
  for (const path of ['/document', '/document/recycle']) {
    const url = `/api/v1${path}?id=${documentId}`;
    expect((await app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200);
  }
}

afterEach(() => change({ deleted_at: null, review_state: 'published', visibility: 0, preview: 0 }));

describe("a visitor's link to a page image", () => {
  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['moved to the recycle bin', { deleted_at: '2026-01-01T00:00:00Z' }],
    ['sent back to review', { review_state: 'under-review' }],
    ['made visible to members only', { visibility: 1 }],
    ['made visible to its owner only', { visibility: 2 }],
    ['limited to a preview before that page', { preview: 2 }],
  ] as const)('is refused within seconds after the document was %s', async (_, values) => {
    const { url } = (await pagesOf(id)).json().page[2];
    // Rights that the previous test revoked are back within seconds.
    await expectLaterStatus(url, 200);
    const first = await get(url);
    expect(first.headers['cache-control']).toMatch(/^public, s-maxage=10, max-age=\d+, immutable$/);
    const cachedHeaders = { 'if-none-match': String(first.headers.etag) };
    expect(await statusOf(url, cachedHeaders)).toBe(304);
    await change(values);
    await expectLaterStatus(url, 403);
    expect(await statusOf(url, cachedHeaders)).toBe(403);
  });

  test('opens with the first request after a private document was made public', async () => {
    const { url } = (await pagesOf(id)).json().page[0];
    await change({ visibility: 2 });
    await expectLaterStatus(url, 403);
    await change({ visibility: 0 });
    expect(await statusOf(url)).toBe(200);
  });

  test('is refused within seconds after the document was erased', async () => {
    const erasedId = await publish();
    const { url, small_url } = (await pagesOf(erasedId)).json().page[0];
    expect(await statusOf(url)).toBe(200);
    await erase(erasedId);
    await expectLaterStatus(url, 403);
    expect(await statusOf(small_url)).toBe(403);
  });
});

describe('a link to a cover, or to a picture in the text of a book, that a visitor has', () => {
  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['moved to the recycle bin', { deleted_at: '2026-01-01T00:00:00Z' }],
    ['made visible to its owner only', { visibility: 2 }],
  ] as const)('ends within seconds after the document was %s', async (_, values) => {
    const links = [await coverOf(id), await coverOf(bookId), await pictureOf(bookId)];
    expect(links).not.toContain('');
    for (const url of links) await expectLaterStatus(url, 200);
    await change(values);
    for (const url of links) await expectLaterStatus(url, 403);
  });

  test('ends within seconds after the document was erased', async () => {
    const erasedId = await publishBook();
    const links = [await coverOf(erasedId), await pictureOf(erasedId)];
    for (const url of links) expect(await statusOf(url)).toBe(200);
    await erase(erasedId);
    for (const url of links) await expectLaterStatus(url, 403);
  });
});

describe('a link to a page image of a document for members', () => {
  test('opens only for callers with the right and is privately cached', async () => {
    const member = await newMember(ctx);
    await change({ visibility: 1 });
    const { url } = (await pagesOf(id, member.headers)).json().page[0];
    const cookie = await cookieOf(id, member.headers);
    await expectLaterStatus(url, 403);
    const answer = await get(url, cookie);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/);
    expect(await statusOf(url, member.headers)).toBe(200);
    expect(await statusOf(url, { cookie: 'douku_view=1.forged' })).toBe(403);
  });

  test('is refused within seconds after the member logs out', async () => {
    const member = await newMember(ctx);
    await change({ visibility: 1 });
    const { url } = (await pagesOf(id, member.headers)).json().page[0];
    const cookie = await cookieOf(id, member.headers);
    await expectLaterStatus(url, 200, cookie);
    await app.inject({
      method: 'DELETE',
      url: '/api/v1/user/logout',
      headers: member.headers,
    });
    await expectLaterStatus(url, 403, cookie);
  });

  test('is refused within seconds after the member was banned', async () => {
    const member = await newMember(ctx);
    await change({ visibility: 1 });
    const { url } = (await pagesOf(id, member.headers)).json().page[0];
    const cookie = await cookieOf(id, member.headers);
    await expectLaterStatus(url, 200, cookie);
    const payload = { id: [member.id], ban: true, reason: '广告' };
    await manage({ method: 'PUT', url: '/api/v1/user/ban', payload });
    for (const headers of [cookie, member.headers]) await expectLaterStatus(url, 403, headers);
  });

  test('does not open for a reader of another document', async () => {
    await change({ visibility: 2 });
    const { url } = (await pagesOf(id, owner.headers)).json().page[0];
    const otherMember = await newMember(ctx);
    expect(await statusOf(url, await cookieOf(await publish(), otherMember.headers))).toBe(403);
  });
});

describe('a link to a page image of a private document that a role may read', () => {
  /** A link that a user with a new role has just opened. */
  async function openByRole() {
    const role = await newRole(ctx, ['DocumentAPI/ListDocument']);
    const reader = await newMember(ctx, [role]);
    await change({ visibility: 2 });
    const { url } = (await pagesOf(id, reader.headers)).json().page[0];
    const cookie = await cookieOf(id, reader.headers);
    await expectLaterStatus(url, 200, cookie);
    return { url, cookie, reader, role };
  }

  test('is refused within seconds after the reader lost the role', async () => {
    const { url, cookie, reader } = await openByRole();
    const otherRole = await newRole(ctx);
    await manage({ method: 'PUT', url: '/api/v1/user', payload: { id: reader.id, group_id: [otherRole] } });
    for (const headers of [cookie, reader.headers]) await expectLaterStatus(url, 403, headers);
  });

  test('is refused within seconds after the role lost the permission', async () => {
    const { url, cookie, reader, role } = await openByRole();
    const payload = { group_id: role, permission_id: [] };
    await manage({ method: 'PUT', url: '/api/v1/group/permission', payload });
    for (const headers of [cookie, reader.headers]) await expectLaterStatus(url, 403, headers);
  });
});

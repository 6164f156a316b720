import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { createCategoryChain, newUpload, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock } = await testApp({ runJobs: true });
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

async function publish(bytes: Buffer, ext: string) {
  const attachment_id = await newUpload(ctx, owner.id, { bytes, ext });
  const title = `可以读的文档 ${crypto.randomUUID()}`;
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: owner.headers,
    payload: { category_id, document: [{ title, attachment_id, price: 0 }] },
  });
  expect(response.statusCode).toBe(200);
  const [row] = await ctx.db.select().from(documents).where(eq(documents.title, title));
  await waitForRendition(ctx, row?.rendition_id ?? 0);
  return row?.id ?? 0;
}
const get = (url: string, headers: Headers = as.visitor) => app.inject({ method: 'GET', url, headers });
const read = async (id: number, query = '', headers: Headers = as.visitor) =>
  (await get(`/api/v1/document/pages?id=${id}${query}`, headers)).json();

const pdf = await publish(makePdf({ pages: 10 }), '.pdf');

describe('the pages of a PDF', () => {
  test('are public images in the announced size', async () => {
    const { view, pages, ready_pages, readable, page } = await read(pdf, '&page=3&size=2');
    expect({ view, pages, ready_pages, readable }).toEqual({
      view: 'pages',
      pages: 10,
      ready_pages: 10,
      readable: 10,
    });
    expect(page.map(({ page }: { page: number }) => page)).toEqual([3, 4]);
    const picture = await get(page[0].url);
    expect(picture.headers['content-type']).toBe('image/webp');
    expect(picture.headers['cache-control']).toMatch(/^public, s-maxage=10, max-age=\d+, immutable$/);
    const { width, height } = await sharp(picture.rawPayload).metadata();
    expect({ width, height }).toEqual({ width: page[0].width, height: page[0].height });
    expect((await sharp((await get(page[0].small_url)).rawPayload).metadata()).width).toBe(320);
  });

  test('include a cover image 420 pixels wide', async () => {
    const { cover } = (await get(`/api/v1/document?id=${pdf}`)).json();
    expect((await sharp((await get(cover)).rawPayload).metadata()).width).toBe(420);
  });

  test('end at the preview limit of site or document except for the owner and administrators', async () => {
    await setSetting(ctx, 'converter.max_preview', '4');
    const { readable, page } = await read(pdf, '&page=3&size=10');
    expect([readable, page.length]).toEqual([4, 2]);
    expect((await read(pdf, '&page=5')).page).toEqual([]);
    expect((await read(pdf, '&page=5&size=50', owner.headers)).page).toHaveLength(6);
    expect((await read(pdf, '', await as.root())).readable).toBe(10);
    await setSetting(ctx, 'converter.max_preview', '0');
    await setSetting(ctx, 'converter.max_preview_percent', '25');
    expect((await read(pdf)).readable).toBe(3);
    await setSetting(ctx, 'converter.max_preview_percent', '100');
    await ctx.db.update(documents).set({ preview: 2 }).where(eq(documents.id, pdf));
    expect((await read(pdf)).readable).toBe(2);
    await ctx.db.update(documents).set({ preview: 0 }).where(eq(documents.id, pdf));
  });

  test('have signed links that are valid for one image and expire', async () => {
    const { page } = await read(pdf, '&size=2');
    const [first, second] = page.map(({ url }: { url: string }) => url);
    const mixedLink = `${second.split('?')[0]}?${first.split('?')[1]}`;
    expect((await get(mixedLink)).statusCode).toBe(403);
    expect((await get(first.replace(/e=\d+/, 'e=99999999999'))).statusCode).toBe(403);
    expect((await get(first.split('?')[0])).statusCode).toBe(403);
    const now = clock.now;
    clock.now = new Date(now.getTime() + 2 * 3_600_000);
    expect((await get(first)).statusCode).toBe(403);
    clock.now = now;
    expect((await get(first)).statusCode).toBe(200);
  });

  test.each([
    ['deleted', { deleted_at: '2026-01-01T00:00:00Z' }, 404, 404],
    ['disabled', { review_state: 'disabled' }, 404, 10],
    ['under review', { review_state: 'under-review' }, 404, 10],
    ['private', { visibility: 2 }, 404, 10],
  ] as const)(
    'are readable only for those with access while the document is %s',
    async (_, change, forOthers, forOwner) => {
      await ctx.db.update(documents).set(change).where(eq(documents.id, pdf));
      expect((await get(`/api/v1/document/pages?id=${pdf}`)).statusCode).toBe(forOthers);
      const ownerResponse = await get(`/api/v1/document/pages?id=${pdf}`, owner.headers);
      expect(ownerResponse.statusCode === 404 ? 404 : ownerResponse.json().readable).toBe(forOwner);
      const initialState = { deleted_at: null, review_state: 'published', visibility: 0 } as const;
      await ctx.db.update(documents).set(initialState).where(eq(documents.id, pdf));
    },
  );
});

test('an EPUB is returned as sanitized HTML with its images and outline', async () => {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const book = makeEpub(
    [
      {
        title: '第一章 出发',
        html: '<h1>第一章 出发</h1><p onclick="x()">清晨的山谷。<script>alert(1)</script></p><img src="pic.png" alt="图"/>',
      },
      {
        title: '第二章 归来',
        html: '<h1>第二章</h1><p>见<a href="c0.xhtml">上一章</a>，<a href="javascript:x()">坏链接</a><img src="http://example.com/x.png"/></p>',
      },
    ],
    [{ name: 'OPS/pic.png', body: picture }],
  );
  const id = await publish(book, '.epub');
  const answer = await read(id);
  const { view, pages, page } = answer;
  expect(answer).not.toHaveProperty('outline');
  const { outline } = (await get(`/api/v1/document/layout?id=${id}`)).json();
  expect({ view, pages }).toEqual({ view: 'flow', pages: 2 });
  expect(outline).toEqual([
    { depth: 0, title: '第一章 出发', page: 1 },
    { depth: 0, title: '第二章 归来', page: 2 },
  ]);
  expect(page[0].html).toMatch(/^<h1>第一章 出发<\/h1><p>清晨的山谷。<\/p><p><img src="\/view\/[^"]+" alt="图"><\/p>$/);
  expect(JSON.stringify(page)).not.toMatch(/script|onclick|javascript|example\.com/);
  expect(page[1].html).toContain('<a href="#p=1">上一章</a>');
  const source = /src="([^"]+)"/.exec(page[0].html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect((await sharp((await get(source)).rawPayload).metadata()).width).toBe(40);
});

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makePdf, restrictedPdf } from '#modules/conversion/document-files.fixture.ts';
import { makeOfd } from '#modules/conversion/ofd.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx, as, clock } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);
const id = await owner.publish(
  makePdf({ pages: 12, text: (page) => `Page ${page} of the Open Library, open to all` }),
  '.pdf',
);
const text = await owner.publish(Buffer.from(`第一章 出发\n\n${'山谷里的清晨。\n'.repeat(300)}`), '.txt');

const fetchJson = async (path: string, headers: Headers = as.visitor) =>
  (await app.inject({ method: 'GET', url: `/api/v1/document/${path}`, headers })).json();

describe('the reading API', () => {
  test('returns page sizes with equal consecutive sizes merged', async () => {
    const layout = await fetchJson(`layout?id=${id}`);
    expect(layout).toMatchObject({ view: 'pages', pages: 12, readable: 12, may_copy: true });
    expect(layout.sizes).toEqual([{ page: 1, width: 1240, height: 1755 }]);
    expect(await fetchJson(`layout?id=${text}`)).toMatchObject({ view: 'flow', sizes: [] });
  });

  test('reports the copy and print restrictions of a PDF', async () => {
    const rightsOf = async (permissions: number) => {
      const protectedId = await owner.publish(restrictedPdf(permissions), '.pdf');
      const { may_copy, may_print } = await fetchJson(`layout?id=${protectedId}`);
      return { may_copy, may_print };
    };
    expect(await rightsOf(-1)).toEqual({ may_copy: true, may_print: true });
    expect(await rightsOf(-1 - 4)).toEqual({ may_copy: true, may_print: false });
    expect(await rightsOf(-1 - 16)).toEqual({ may_copy: false, may_print: true });
  });

  test('reports the restrictions of an OFD document, and none is lifted outside of its period of validity', async () => {
    const permissions = `<ofd:Permissions><ofd:Print Printable="false"/>
      <ofd:ValidPeriod EndDate="2026-03-02T08:00:00"/></ofd:Permissions>`;
    const restrictedId = await owner.publish(makeOfd({ documentTail: permissions }), '.ofd');
    const rights = async () => {
      const { may_copy, may_print } = await fetchJson(`layout?id=${restrictedId}`);
      return { may_copy, may_print };
    };
    expect(await rights()).toEqual({ may_copy: true, may_print: false });
    const now = clock.now;
    clock.now = new Date('2026-03-02T00:00:01Z');
    expect(await rights()).toEqual({ may_copy: false, may_print: false });
    clock.now = now;
  });

  test('returns the words of a page by line with their boxes', async () => {
    const { page } = await fetchJson(`words?id=${id}&page=3&size=2`);
    expect(page.map(({ page }: { page: number }) => page)).toEqual([3, 4]);
    const [line] = page[0].lines;
    expect(line.map(([word]: [string]) => word).join('')).toBe('Page 3 of the Open Library, open to all');
    const [, x, y, width, height] = line[0];
    // 60 of 595 points from the left, 82 of 842 points from the top, 24 points high.
    expect([Math.round(x / 100), Math.round(width / 100)]).toEqual([10, 9]);
    expect(y).toBeGreaterThan(800);
    expect(y + height).toBeLessThan(1_700);
    expect((await fetchJson(`words?id=${text}`)).page).toEqual([]);
  });

  test('finds every hit of a text with a snippet of the first one per page', async () => {
    const { total, pending, page } = await fetchJson(`find?id=${id}&wd=OPEN`);
    expect({ total, pending, pages: page.length }).toEqual({
      total: 24,
      pending: false,
      pages: 12,
    });
    expect(page[4]).toEqual({
      page: 5,
      count: 2,
      snippet: 'Page 5 of the Open Library, open to all',
    });
    expect((await fetchJson(`find?id=${id}&wd=nothing`)).total).toBe(0);
    expect((await fetchJson(`find?id=${text}&wd=${encodeURIComponent('山谷 里')}`)).total).toBe(300);
    expect((await fetchJson(`find?id=${id}&wd=%20`)).message).toBe('请输入要查找的文字');
  });
});

test('sizes, words and hits end at the preview limit except for the owner and administrators', async () => {
  await setSetting(ctx, 'converter.max_preview', '4');
  expect((await fetchJson(`layout?id=${id}`)).readable).toBe(4);
  expect((await fetchJson(`words?id=${id}&page=3&size=20`)).page).toHaveLength(2);
  expect((await fetchJson(`words?id=${id}&page=5`)).page).toEqual([]);
  const { total, page } = await fetchJson(`find?id=${id}&wd=library`);
  expect([total, page.at(-1).page]).toEqual([4, 4]);
  expect((await fetchJson(`find?id=${id}&wd=${encodeURIComponent('Page 7')}`)).total).toBe(0);
  for (const headers of [owner.headers, await as.root()]) {
    expect((await fetchJson(`words?id=${id}&page=5`, headers)).page).toHaveLength(5);
    expect((await fetchJson(`find?id=${id}&wd=library`, headers)).total).toBe(12);
  }
  await setSetting(ctx, 'converter.max_preview', '0');
});

test('the high-resolution image of a page is twice as wide and not available beyond the preview limit', async () => {
  const hiResPage = (page: number, headers?: Headers) => fetchJson(`sharp?id=${id}&page=${page}`, headers);
  expect(await hiResPage(2)).toEqual({ url: '', pending: true });
  await expect.poll(async () => (await hiResPage(2)).url).not.toBe('');
  const { url } = await hiResPage(2);
  const picture = await app.inject({ method: 'GET', url });
  expect((await sharp(picture.rawPayload).metadata()).width).toBe(2480);
  await setSetting(ctx, 'converter.max_preview', '1');
  expect(await hiResPage(2)).toEqual({ url: '', pending: false });
  expect((await hiResPage(2, owner.headers)).url).not.toBe('');
  await setSetting(ctx, 'converter.max_preview', '0');
  expect(await hiResPage(99)).toEqual({ url: '', pending: false });
  expect(await fetchJson(`sharp?id=${text}&page=1`)).toEqual({ url: '', pending: false });
});

import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '#app/server/routes.ts';
import { makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download-document.fixture.ts';
import { indexKeywords } from '#modules/related/index-keywords.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx } = await testApp({ build: join(projectRoot, 'build'), runJobs: true });
const PAGE_COUNT = 12;
const PREVIEW_LIMIT = 3;

/** A word that occurs only on this page. */
const secretWord = (page: number) => `zq${'abcdefghijkl'[page - 1]}xv`;
const publisher = await newPublisher(ctx);
const publish = (bytes: Buffer, ext: string) => publisher.publish(bytes, ext, { price: 5 });

const allPages = Array.from({ length: PAGE_COUNT }, (_, at) => at + 1);
/** An outline entry without a page belongs to no page of the preview. */
const UNLINKED_TITLE = 'zqlostxv';
const lockedWords = [...allPages.slice(PREVIEW_LIMIT).map(secretWord), UNLINKED_TITLE];
const chapterOf = (page: number) => `Chapter ${page} ${secretWord(page)}`;

const ids = {
  pdf: await publish(
    makePdf({
      pages: PAGE_COUNT,
      text: (page) => `Word ${secretWord(page)} here`,
      outline: [...allPages.map((page) => ({ title: chapterOf(page), page })), { title: UNLINKED_TITLE }],
    }),
    '.pdf',
  ),
  epub: await publish(
    makeEpub(
      allPages.map((page) => ({
        title: chapterOf(page),
        html: `<h1>第 ${page} 章 ${secretWord(page)}</h1><p>正文 ${secretWord(page)} 在这里。</p>`,
      })),
      [],
      [UNLINKED_TITLE],
    ),
    '.epub',
  ),
};
await setSetting(ctx, 'converter.max_preview', String(PREVIEW_LIMIT));
await indexKeywords.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });

const get = (url: string, headers: Headers = {}) => app.inject({ method: 'GET', url, headers });

/** URLs of all document endpoints with every page, size and word that could reveal locked pages. */
function apiUrls(id: number): string[] {
  const urls = apiRoutes.flatMap(({ endpoint: { method, path, input } }) => {
    const shape = input._zod.def.shape;
    if (method !== 'GET' || !path.startsWith('/document') || path.includes('download')) return [];
    const idQuery = 'id' in shape ? `?id=${id}` : '?';
    const authorQuery = 'with_author' in shape ? '&with_author=true' : '';
    const words = 'wd' in shape ? ['Word', '正文', ...lockedWords].map(encodeURIComponent) : [''];
    const pageParameter = 'page' in shape ? 'page' : 'part' in shape ? 'part' : '';
    const pageNumbers = pageParameter ? [1, 2, PREVIEW_LIMIT, PREVIEW_LIMIT + 1, PAGE_COUNT] : [0];
    return words.flatMap((word) =>
      pageNumbers.flatMap((page) =>
        ('size' in shape ? ['', '&size=20', '&size=50', '&size=100'] : ['']).map(
          (size) =>
            `/api/v1${path}${idQuery}${authorQuery}${word && `&wd=${word}`}${pageParameter && `&${pageParameter}=${page}`}${size}`,
        ),
      ),
    );
  });
  return [...new Set(urls)];
}

/** HTML pages and feeds about the document. */
const pageUrls = (id: number): string[] => [
  ...[`/document/${id}`, `/document/${id}?page=${PREVIEW_LIMIT + 1}`, `/document/${id}?embed=1`],
  ...[`/document/${id}/text`, `/document/${id}/text?page=2`],
  ...[`/document/${id}.data`, `/document/${id}/text.data`],
  ...['', `/user/${publisher.id}`, `/category/${publisher.category_id[0]}`].flatMap((prefix) => [
    `${prefix}/feed.atom`,
    `${prefix}/feed.rss`,
  ]),
];

const readers: Record<string, Headers> = {};
beforeAll(async () => {
  const nonBuyer = await newReaderWithCredit(ctx, 100);
  for (const id of Object.values(ids))
    await app.inject({
      method: 'PUT',
      url: '/api/v1/document/position',
      headers: nonBuyer.headers,
      payload: { id, page: PAGE_COUNT, offset: 9_999 },
    });
  Object.assign(readers, { 'a visitor': {}, 'a member who has not bought it': nonBuyer.headers });
});

/** Response bodies by URL. Asserts that none contains a locked word or a link to a locked page. */
async function crawl(urls: string[], headers: Headers): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const url of urls) {
    const { statusCode, body } = await get(url, headers);
    expect(statusCode, url).toBeLessThan(500);
    bodies.set(url, body);
    const leakedWords = lockedWords.filter((word) => body.includes(word));
    expect({ url, leakedWords }).toEqual({ url, leakedWords: [] });
    for (const link of body.match(/\/view\/[^"\\ ]+/g) ?? []) {
      const page = Number(/\/[psl]\/(\d{5})\.webp/.exec(link)?.[1] ?? 0);
      expect(page, link).toBeLessThanOrEqual(PREVIEW_LIMIT);
    }
  }
  return bodies;
}

describe.each(Object.entries(ids))('a crawl of everything about a paid %s', (_, id) => {
  test.each(['a visitor', 'a member who has not bought it'])(
    'as %s finds no word and no image beyond the preview limit',
    async (readerName) => {
      const bodies = await crawl(apiUrls(id), readers[readerName] ?? {});
      // Proves that the crawl reads pages: the last readable page was found.
      expect([...bodies.values()].some((body) => body.includes(secretWord(PREVIEW_LIMIT)))).toBe(true);
    },
  );

  test('in HTML pages and feeds finds no word and no image beyond the preview limit', async () => {
    const bodies = await crawl(pageUrls(id), {});
    for (const url of [`/document/${id}`, `/document/${id}/text`])
      expect(bodies.get(url), url).toContain(chapterOf(PREVIEW_LIMIT));
    for (const [url, body] of bodies) if (url.includes('/feed.')) expect(body, url).toContain(`/document/${id}<`);
  });

  test('by its buyer returns every page', async () => {
    const buyer = await newReaderWithCredit(ctx, 100);
    const purchase = await get(`/api/v1/document/download?id=${id}&price=5`, buyer.headers);
    expect(purchase.statusCode).toBe(200);
    const bodies = await Promise.all(apiUrls(id).map(async (url) => (await get(url, buyer.headers)).body));
    for (const word of lockedWords) expect(bodies.some((body) => body.includes(word))).toBe(true);
  });
});

test('a signed page link cannot be changed into a link to a later page, the text or the original file', async () => {
  const { page } = (await get(`/api/v1/document/pages?id=${ids.pdf}&size=50`)).json();
  expect(page).toHaveLength(PREVIEW_LIMIT);
  const link: string = page[PREVIEW_LIMIT - 1].url;
  expect((await get(link)).statusCode).toBe(200);
  const guesses = [
    ...['00004', '00012', '99999'].map((number) => link.replace('00003', number)),
    link.replace('/p/', '/s/'),
    link.replace('/p/', '/l/'),
    link.replace(/\/p\/\d+\.webp/, '/text.txt'),
    link.replace(/\/p\/\d+\.webp/, '/words.bin'),
    link.replace(/\/p\/\d+\.webp/, '/canonical.pdf'),
    link.replace(/\/pdf\/v.*webp/, '/original'),
    link.replace('00003', '..%2f00003'),
    link.replace(/s=.*/, 's='),
    link.replace(/&s=/, '0&s='),
    link.replace('/view/', '/download/'),
    `/download/${ids.pdf}${link.slice(link.indexOf('?'))}`,
    `/download/${ids.pdf}`,
  ];
  for (const guess of guesses) {
    const { statusCode } = await get(guess);
    expect([guess, [403, 404].includes(statusCode)]).toEqual([guess, true]);
  }
});

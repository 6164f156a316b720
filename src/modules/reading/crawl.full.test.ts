import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiRoutes } from '#app/server/routes.ts';
import { makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newReaderWithCredit } from '#modules/download/download.fixture.ts';
import { indexKeywords } from '#modules/related/index-keywords.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { projectRoot } from '#platform/server/config.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx } = await testApp({ build: join(projectRoot, 'build'), work: true });
const PAGES = 12;
const LIMIT = 3;

/** A word that stands on one page and nowhere else. */
const secret = (page: number) => `zq${'abcdefghijkl'[page - 1]}xv`;
const publisher = await newPublisher(ctx);
const publish = (bytes: Buffer, ext: string) => publisher.publish(bytes, ext, { price: 5 });

const allPages = Array.from({ length: PAGES }, (_, at) => at + 1);
/** The contents list tells as much as a page; what leads nowhere belongs to no page of the preview. */
const LOST = 'zqlostxv';
const beyond = [...allPages.slice(LIMIT).map(secret), LOST];
const chapterOf = (page: number) => `Chapter ${page} ${secret(page)}`;

const ids = {
  pdf: await publish(
    makePdf({
      pages: PAGES,
      text: (page) => `Word ${secret(page)} here`,
      outline: [...allPages.map((page) => ({ title: chapterOf(page), page })), { title: LOST }],
    }),
    '.pdf',
  ),
  epub: await publish(
    makeEpub(
      allPages.map((page) => ({
        title: chapterOf(page),
        html: `<h1>第 ${page} 章 ${secret(page)}</h1><p>正文 ${secret(page)} 在这里。</p>`,
      })),
      [],
      [LOST],
    ),
    '.epub',
  ),
};
await setSetting(ctx, 'converter.max_preview', String(LIMIT));
await indexKeywords.run(ctx, {}, { signal: new AbortController().signal, attempt: 1 });

const get = (url: string, headers: Headers = {}) => app.inject({ method: 'GET', url, headers });

/** Whatever may be asked of a document, with every page, size and word that could lead further. */
function questions(id: number): string[] {
  const asked = apiRoutes.flatMap(({ endpoint: { method, path, input } }) => {
    const shape = input._zod.def.shape;
    if (method !== 'GET' || !path.startsWith('/document') || path.includes('download')) return [];
    const named = 'id' in shape ? `?id=${id}` : '?';
    const whole = 'with_author' in shape ? '&with_author=true' : '';
    const words = 'wd' in shape ? ['Word', '正文', ...beyond].map(encodeURIComponent) : [''];
    const place = 'page' in shape ? 'page' : 'part' in shape ? 'part' : '';
    const places = place ? [1, 2, LIMIT, LIMIT + 1, PAGES] : [0];
    return words.flatMap((word) =>
      places.flatMap((page) =>
        ('size' in shape ? ['', '&size=20', '&size=50', '&size=100'] : ['']).map(
          (size) => `/api/v1${path}${named}${whole}${word && `&wd=${word}`}${place && `&${place}=${page}`}${size}`,
        ),
      ),
    );
  });
  return [...new Set(asked)];
}

/** What browsers, search engines and feed readers ask for. */
const pagesAbout = (id: number): string[] => [
  ...[`/document/${id}`, `/document/${id}?page=${LIMIT + 1}`, `/document/${id}?embed=1`],
  ...[`/document/${id}/text`, `/document/${id}/text?page=2`],
  ...[`/document/${id}.data`, `/document/${id}/text.data`],
  ...['', `/user/${publisher.id}`, `/category/${publisher.category_id[0]}`].flatMap((of) => [
    `${of}/feed.atom`,
    `${of}/feed.rss`,
  ]),
];

const readers: Record<string, Headers> = {};
beforeAll(async () => {
  const stranger = await newReaderWithCredit(ctx, 100);
  for (const id of Object.values(ids))
    await app.inject({
      method: 'PUT',
      url: '/api/v1/document/position',
      headers: stranger.headers,
      payload: { id, page: PAGES, offset: 9_999 },
    });
  Object.assign(readers, { 'a visitor': {}, 'somebody who has not bought it': stranger.headers });
});

/** What is answered, by address; nothing of it may hold what lies past the limit. */
async function crawl(urls: string[], headers: Headers): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const url of urls) {
    const { statusCode, body } = await get(url, headers);
    expect(statusCode, url).toBeLessThan(500);
    answers.set(url, body);
    const found = beyond.filter((word) => body.includes(word));
    expect({ url, found }).toEqual({ url, found: [] });
    for (const link of body.match(/\/view\/[^"\\ ]+/g) ?? []) {
      const page = Number(/\/[psl]\/(\d{5})\.webp/.exec(link)?.[1] ?? 0);
      expect(page, link).toBeLessThanOrEqual(LIMIT);
    }
  }
  return answers;
}

describe.each(Object.entries(ids))('a crawl of everything a paid %s shows', (_, id) => {
  test.each(['a visitor', 'somebody who has not bought it'])(
    'as %s finds no word and no picture past the limit',
    async (who) => {
      const answers = await crawl(questions(id), readers[who] ?? {});
      // It did look: what may be read was found.
      expect([...answers.values()].some((body) => body.includes(secret(LIMIT)))).toBe(true);
    },
  );

  test('in its pages and feeds finds no word and no picture past the limit', async () => {
    const answers = await crawl(pagesAbout(id), {});
    for (const url of [`/document/${id}`, `/document/${id}/text`])
      expect(answers.get(url), url).toContain(chapterOf(LIMIT));
    for (const [url, body] of answers) if (url.includes('/feed.')) expect(body, url).toContain(`/document/${id}<`);
  });

  test('as its buyer finds all of it', async () => {
    const buyer = await newReaderWithCredit(ctx, 100);
    const bought = await get(`/api/v1/document/download?id=${id}&price=5`, buyer.headers);
    expect(bought.statusCode).toBe(200);
    const bodies = await Promise.all(questions(id).map(async (url) => (await get(url, buyer.headers)).body));
    for (const word of beyond) expect(bodies.some((body) => body.includes(word))).toBe(true);
  });
});

test('no link leads to another one: neither to a later page, nor to the text, nor to the original', async () => {
  const { page } = (await get(`/api/v1/document/pages?id=${ids.pdf}&size=50`)).json();
  expect(page).toHaveLength(LIMIT);
  const link: string = page[LIMIT - 1].url;
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

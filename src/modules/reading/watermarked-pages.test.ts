import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string; cookie?: string; 'if-none-match'?: string };
const { app, ctx, as } = await testApp({ runJobs: true });
// The cache of rights keeps this object and reads the time from it; fake timers would put another in its place.
const realNow = performance.now.bind(performance);
let clockAdvanceMs = 0;
const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + clockAdvanceMs);
afterAll(() => clock.mockRestore());

const publisher = await newPublisher(ctx);
const id = await publisher.publish(makePdf({ pages: 2 }), '.pdf');
const [reader, otherReader] = [await newMember(ctx), await newMember(ctx)];

const get = async (url: string, headers: Headers = {}) => {
  const response = await app.inject({ url, headers });
  expect(response.statusCode, response.body).toBe(200);
  return response;
};
const firstPage = async (headers: Headers = {}) =>
  (await get(`/api/v1/document/pages?id=${id}`, headers)).json().page[0];
const textFor = async (headers: Headers = {}) =>
  (await get(`/api/v1/document/watermark?id=${id}`, headers)).json().text;
const modeFor = async (path: string) => (await get(`/api/v1/document/${path}?id=${id}`)).json().watermark;

async function expireCachedRights() {
  clockAdvanceMs += 2_001;
  // The cache reads the clock at most once a millisecond.
  await sleep(5);
}

async function update(path: 'document' | 'category', input: { id: number; watermark: string }, headers?: Headers) {
  const response = await app.inject({
    method: 'PUT',
    url: `/api/v1/${path}`,
    headers: headers ?? (await as.root()),
    payload: input,
  });
  await expireCachedRights();
  return response.statusCode;
}

const [topCategory = 0, childCategory = 0] = (await get(`/api/v1/document?id=${id}`)).json().category_id;

afterEach(async () => {
  await setSetting(ctx, 'security.watermark', 'off');
  for (const category of [topCategory, childCategory]) await update('category', { id: category, watermark: 'inherit' });
  await update('document', { id, watermark: 'inherit' });
});

describe('the watermark', () => {
  test('is off by default: the text is empty and page images are public', async () => {
    expect(await textFor(reader.headers)).toBe('');
    expect(await modeFor('layout')).toBe('off');
    expect((await get((await firstPage()).url)).headers['cache-control']).toMatch(/^public/);
  });

  test('names account and day of a member, and the end of the address of a visitor', async () => {
    await setSetting(ctx, 'security.watermark', 'overlay');
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(ctx.now());
    expect(await textFor(reader.headers)).toBe(`${reader.username} ${reader.id} ${today}`);
    expect(await textFor()).toBe(`游客 0.1 ${today}`);
  });

  test('follows the template of the site and keeps unknown placeholders', async () => {
    await setSetting(ctx, 'security.watermark', 'overlay');
    await setSetting(ctx, 'security.watermark_template', '仅供{name}阅读 {phone}');
    expect(await textFor(reader.headers)).toBe(`仅供${reader.username}阅读 {phone}`);
    await setSetting(ctx, 'security.watermark_template', '{name} {id} {date}');
  });

  test('of the document takes precedence over the category, and the category over the site', async () => {
    await setSetting(ctx, 'security.watermark', 'drawn');
    expect(await modeFor('layout')).toBe('drawn');
    await update('category', { id: topCategory, watermark: 'overlay' });
    expect(await modeFor('layout')).toBe('overlay');
    await update('category', { id: childCategory, watermark: 'off' });
    expect(await modeFor('text')).toBe('off');
    await update('document', { id, watermark: 'overlay' });
    expect(await modeFor('text')).toBe('overlay');
  });

  test('of a document cannot be changed by its owner without the permission', async () => {
    expect(await update('document', { id, watermark: 'drawn' }, publisher.headers)).toBe(403);
    expect(await modeFor('layout')).toBe('off');
  });

  test('as an overlay leaves the stored page images as they are', async () => {
    const plainImage = await get((await firstPage()).url);
    await setSetting(ctx, 'security.watermark', 'overlay');
    await expireCachedRights();
    const image = await get((await firstPage()).url);
    expect(image.headers['cache-control']).toMatch(/^public/);
    expect(image.rawPayload.equals(plainImage.rawPayload)).toBe(true);
  });
});

describe('a watermark that is drawn into page images', () => {
  test('differs between readers, also for a link made before, and is cached only by their browsers', async () => {
    const { url: plainUrl, small_url } = await firstPage();
    const plainImage = await get(plainUrl);
    await update('document', { id, watermark: 'drawn' });
    const images = await Promise.all(
      [{}, reader.headers, otherReader.headers].map((headers) => get(plainUrl, headers)),
    );
    for (const image of images) {
      expect(image.headers['cache-control']).toMatch(/^private/);
      expect(image.headers['content-type']).toBe('image/webp');
    }
    const distinctImages = new Set([plainImage, ...images].map(({ rawPayload }) => rawPayload.toString('base64')));
    expect(distinctImages.size).toBe(4);
    expect((await get(small_url, reader.headers)).headers['cache-control']).toMatch(/^private/);
  });

  test('has another URL for each reader, and is not sent again to a browser that has it', async () => {
    await update('document', { id, watermark: 'drawn' });
    const [page, otherPage] = [await firstPage(reader.headers), await firstPage(otherReader.headers)];
    expect(page.url).not.toBe(otherPage.url);
    const { etag } = (await get(page.url, reader.headers)).headers;
    const headers = { ...reader.headers, 'if-none-match': String(etag) };
    expect((await app.inject({ url: page.url, headers })).statusCode).toBe(304);
  });

  test('is not drawn into covers', async () => {
    const { cover } = (await get(`/api/v1/document?id=${id}`)).json();
    const plainImage = await get(cover);
    await update('document', { id, watermark: 'drawn' });
    const image = await get(cover);
    expect(image.headers['cache-control']).toMatch(/^public/);
    expect(image.rawPayload.equals(plainImage.rawPayload)).toBe(true);
  });

  test('answers HEAD without drawing a body', async () => {
    await update('document', { id, watermark: 'drawn' });
    const { url } = await firstPage();
    const response = await app.inject({ method: 'HEAD', url });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers['cache-control']).toMatch(/^private/);
  });
});

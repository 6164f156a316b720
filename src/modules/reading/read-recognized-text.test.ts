import { expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { addRecognizedPage } from '#modules/recognition/recognition.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

const { app, ctx } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);
/** The second page has no text; its text is recognized. */
const id = await owner.publish(makePdf({ pages: 3, text: (page) => (page === 2 ? '' : `Typed page ${page}`) }), '.pdf');
await addRecognizedPage(ctx, id, 2, ['石渠阁旧藏', '卷三']);

const fetchJson = async (path: string) => (await app.inject({ url: `/api/v1/document/${path}` })).json();

test('the words of a recognized page replace its missing words and are marked', async () => {
  const { page } = await fetchJson(`words?id=${id}&page=1&size=3`);
  const summary = page.map(({ recognized, lines }: { recognized: boolean; lines: [string][][] }) => ({
    recognized,
    text: lines.map((line) => line.map(([word]) => word).join('')).join('|'),
  }));
  expect(summary).toEqual([
    { recognized: false, text: 'Typed page 1' },
    { recognized: true, text: '石渠阁旧藏|卷三' },
    { recognized: false, text: 'Typed page 3' },
  ]);
});

test('finding in a document finds recognized and extracted text', async () => {
  expect(await fetchJson(`find?id=${id}&wd=${encodeURIComponent('石渠')}`)).toMatchObject({
    total: 1,
    page: [{ page: 2, snippet: expect.stringContaining('石渠阁旧藏') }],
  });
  expect(await fetchJson(`find?id=${id}&wd=Typed`)).toMatchObject({ total: 2 });
});

test('the text version marks recognized pages', async () => {
  const { page } = await fetchJson(`text?id=${id}`);
  expect(page.map(({ recognized }: { recognized: boolean }) => recognized)).toEqual([false, true, false]);
  expect(page[1].paragraphs.join('')).toContain('石渠阁旧藏');
});

test('recognized text of pages beyond the preview limit is neither found nor returned', async () => {
  await setSetting(ctx, 'converter.max_preview', '1');
  expect(await fetchJson(`find?id=${id}&wd=${encodeURIComponent('石渠')}`)).toMatchObject({ total: 0 });
  expect((await fetchJson(`words?id=${id}&page=1&size=3`)).page).toHaveLength(1);
  expect((await fetchJson(`text?id=${id}`)).page).toHaveLength(1);
  await setSetting(ctx, 'converter.max_preview', '0');
});

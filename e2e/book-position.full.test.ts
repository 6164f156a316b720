import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeEpub } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { waitForHydration } from './page-helpers.ts';
import { desktop, phone, startTestSite } from './support/site.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, pool, errors } = site;
const publisher = await newPublisher(ctx);
const makeChapterHtml = (chapter: number) =>
  Array.from({ length: 120 }, (_, line) => `<p id="l${line}">第 ${chapter} 回第 ${line} 行，石径转入云深处。</p>`).join(
    '',
  );
const tocHtml = '<p><a href="c24.xhtml">卷尾</a></p>';
const notesHtml = '<p>此处<a href="#l110">有注</a>，另见<a href="c24.xhtml">书末</a>。</p>';
const bookId = await publisher.publish(
  makeEpub(
    Array.from({ length: 25 }, (_, index) => ({
      title: `第 ${index + 1} 回`,
      html: `${index === 0 ? tocHtml : ''}${makeChapterHtml(index + 1).replace('<p id="l60">', `${notesHtml}<p id="l60">`)}`,
    })),
  ),
  '.epub',
  { title: '有注的书' },
);

/** Returns the first line below the top bar and the reader toolbar, which end at 128 px. */
const readTopLine = (page: Page) =>
  page.evaluate(() => {
    const paragraphs = [...document.querySelectorAll('[data-section] p')];
    return paragraphs.find((paragraph) => paragraph.getBoundingClientRect().bottom > 128)?.textContent ?? '';
  });
const expectTopLine = (page: Page) => expect.poll(() => readTopLine(page));
/**
 * The reader writes the position to the URL some time after the last scroll event. This timer starts after that event in the
 * same event loop, so it also ends later on a busy machine.
 */
const waitForUrlUpdate = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 700)));
      }),
  );
const extractLineLabel = (text: string) => (/第 \d+ 回第 \d+ 行/.exec(text) ?? [''])[0];

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s a reload of a book returns to the same line', async (_, device) => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, `/document/${bookId}#p=20`, device);
  await expectTopLine(page).toMatch(/第 (9|10|11) 回/);
  await waitForUrlUpdate(page);
  const firstLine = await readTopLine(page);
  await page.evaluate(() => window.scrollBy(0, 900));
  await expectTopLine(page).not.toBe(firstLine);
  await waitForUrlUpdate(page);
  const lineBefore = extractLineLabel(await readTopLine(page));
  const section = Number(/\d+/.exec(new URL(page.url()).hash));
  expect(section).toBeGreaterThanOrEqual(20);
  await page.reload();
  await waitForHydration(page);
  await expectTopLine(page).toContain(lineBefore);
  // The server stores the same position.
  await page.goto('about:blank');
  const readPositions = async () =>
    (
      await pool.query<{ page: number }>('select page from reading_positions where user_id = $1 and document_id = $2', [
        reader.id,
        bookId,
      ])
    ).rows;
  await expect.poll(readPositions).toEqual([{ page: section }]);
  expect(errors).toEqual([]);
});

test.each([
  ['desktop', desktop],
  ['a phone', phone],
])('on %s going back from the target of a link returns to the line of the link', async (_, device) => {
  const page = await visit(`/document/${bookId}`, device);
  await waitForHydration(page);
  for (const [name, targetLine] of [
    ['有注', '第 1 回第 110 行'],
    ['书末', '第 25 回第 0 行'],
  ] as const) {
    const link = page.locator('[data-section]').getByRole('link', { name }).first();
    // The router may still be restoring the scroll position of the previous iteration.
    await expect
      .poll(async () => {
        await link.scrollIntoViewIfNeeded();
        await waitForUrlUpdate(page);
        return link.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top > 80 && bottom < window.innerHeight;
        });
      })
      .toBe(true);
    const [lineBefore, historyLength] = [
      extractLineLabel(await readTopLine(page)),
      await page.evaluate('history.length'),
    ];
    await link.click();
    await expectTopLine(page).toContain(targetLine);
    await waitForUrlUpdate(page);
    await page.goBack();
    await expectTopLine(page).toContain(lineBefore);
    await link.waitFor();
    expect(await page.evaluate('history.length')).toBe(Number(historyLength) + (name === '有注' ? 1 : 0));
  }
  expect(errors).toEqual([]);
});

test('going back from the target of a link on the first screen returns to that link', async () => {
  const page = await visit(`/document/${bookId}`);
  await waitForHydration(page);
  await page.getByRole('link', { name: '卷尾' }).click();
  await expectTopLine(page).toContain('第 25 回第 0 行');
  await waitForUrlUpdate(page);
  await page.goBack();
  await expectTopLine(page).toBe('卷尾');
});

test('a book that is opened near its end also loads the sections before', async () => {
  const shortBookId = await publisher.publish(
    makeEpub(
      Array.from({ length: 7 }, (_, index) => ({
        title: `短章 ${index + 1}`,
        html: `<h1>短章 ${index + 1}</h1><p>只有几句话。</p>`,
      })),
    ),
    '.epub',
    { title: '很短的书' },
  );
  const page = await visit(`/document/${shortBookId}#p=6`);
  await page.locator('[data-section="6"]').waitFor();
  await page.locator('[data-section="1"]').waitFor({ state: 'attached' });
  const progress = page.getByRole('progressbar', { name: '阅读进度' });
  await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('100');
});

test('the reader retries a section of a book that failed to load and never skips it', async () => {
  const page = await visit('about:blank');
  const sectionRequest = /\/document\/pages\?.*page=6\b/;
  await page.route(sectionRequest, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`/document/${bookId}`);
  await waitForHydration(page);
  const loadingStatus = page.locator('.reader-flow-column').getByRole('status');
  for (let attempt = 0; attempt < 40 && (await loadingStatus.count()) === 0; attempt += 1)
    await page.evaluate(() => window.scrollBy(0, 2_000));
  await loadingStatus.waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const readSections = () =>
    page
      .locator('[data-section]')
      .evaluateAll((elements) => elements.map((element) => Number((element as HTMLElement).dataset.section)));
  expect(Math.max(...(await readSections()))).toBe(5);
  await page.unroute(sectionRequest);
  await expect.poll(async () => (await readSections()).includes(6)).toBe(true);
});

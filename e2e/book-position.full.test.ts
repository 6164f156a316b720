import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeEpub } from '#modules/conversion/document-files.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { newMember } from '#modules/role/role.fixture.ts';
import { ready } from './public-site.ts';
import { desktop, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAs, ctx, pool, errors } = site;
const publisher = await newPublisher(ctx);
const lines = (chapter: number) =>
  Array.from({ length: 120 }, (_, line) => `<p id="l${line}">第 ${chapter} 回第 ${line} 行，石径转入云深处。</p>`).join(
    '',
  );
const contents = '<p><a href="c24.xhtml">卷尾</a></p>';
const notes = '<p>此处<a href="#l110">有注</a>，另见<a href="c24.xhtml">书末</a>。</p>';
const book = await publisher.publish(
  makeEpub(
    Array.from({ length: 25 }, (_, at) => ({
      title: `第 ${at + 1} 回`,
      html: `${at === 0 ? contents : ''}${lines(at + 1).replace('<p id="l60">', `${notes}<p id="l60">`)}`,
    })),
  ),
  '.epub',
  { title: '有注的书' },
);

/** The line below the top bar (48 px) and the bar of the reader. */
const lineAt = (page: Page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('[data-section] p')];
    return all.find((each) => each.getBoundingClientRect().bottom > 128)?.textContent ?? '';
  });
const line = (page: Page) => expect.poll(() => lineAt(page));
/** Long enough for the address to follow. */
const rest = (page: Page) => page.waitForTimeout(700);
const numberOf = (text: string) => (/第 \d+ 回第 \d+ 行/.exec(text) ?? [''])[0];

test.each([
  ['a desk', desktop],
  ['a phone', phone],
])('on %s a reload of a book leads to the very line', async (_, device) => {
  const reader = await newMember(ctx);
  const page = await visitAs(reader.headers, `/document/${book}#p=20`, device);
  await line(page).toMatch(/第 (9|10|11) 回/);
  await rest(page);
  const first = await lineAt(page);
  await page.evaluate(() => window.scrollBy(0, 900));
  await line(page).not.toBe(first);
  await rest(page);
  const before = numberOf(await lineAt(page));
  const section = Number(/\d+/.exec(new URL(page.url()).hash));
  expect(section).toBeGreaterThanOrEqual(20);
  await page.reload();
  await ready(page);
  await line(page).toContain(before);
  // What is remembered of it is the same place.
  await page.goto('about:blank');
  const remembered = async () =>
    (
      await pool.query<{ page: number }>('select page from reading_positions where user_id = $1 and document_id = $2', [
        reader.id,
        book,
      ])
    ).rows;
  await expect.poll(remembered).toEqual([{ page: section }]);
  expect(errors).toEqual([]);
});

test.each([
  ['a desk', desktop],
  ['a phone', phone],
])('on %s the way back from a note leads to where it is named', async (_, device) => {
  const page = await visit(`/document/${book}`, device);
  await ready(page);
  for (const [name, there] of [
    ['有注', '第 1 回第 110 行'],
    ['书末', '第 25 回第 0 行'],
  ] as const) {
    const link = page.locator('[data-section]').getByRole('link', { name }).first();
    // The router may still be putting things back to where they were before the step back.
    await expect
      .poll(async () => {
        await link.scrollIntoViewIfNeeded();
        await rest(page);
        return link.evaluate((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          return top > 80 && bottom < window.innerHeight;
        });
      })
      .toBe(true);
    const [before, steps] = [numberOf(await lineAt(page)), await page.evaluate('history.length')];
    await link.click();
    await line(page).toContain(there);
    await rest(page);
    await page.goBack();
    await line(page).toContain(before);
    await link.waitFor();
    expect(await page.evaluate('history.length')).toBe(Number(steps) + (name === '有注' ? 1 : 0));
  }
  expect(errors).toEqual([]);
});

test('the way back from a link on the first screen leads there', async () => {
  const page = await visit(`/document/${book}`);
  await ready(page);
  await page.getByRole('link', { name: '卷尾' }).click();
  await line(page).toContain('第 25 回第 0 行');
  await rest(page);
  await page.goBack();
  await line(page).toBe('卷尾');
});

test('a book that is opened near its end has what comes before', async () => {
  const short = await publisher.publish(
    makeEpub(
      Array.from({ length: 7 }, (_, at) => ({
        title: `短章 ${at + 1}`,
        html: `<h1>短章 ${at + 1}</h1><p>只有几句话。</p>`,
      })),
    ),
    '.epub',
    { title: '很短的书' },
  );
  const page = await visit(`/document/${short}#p=6`);
  await page.locator('[data-section="6"]').waitFor();
  await page.locator('[data-section="1"]').waitFor({ state: 'attached' });
  const progress = page.getByRole('progressbar', { name: '阅读进度' });
  await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('100');
});

test('a part of a book that could not be fetched is asked for again, never left out', async () => {
  const page = await visit('about:blank');
  const part = /\/document\/pages\?.*page=6\b/;
  await page.route(part, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`/document/${book}`);
  await ready(page);
  const status = page.locator('.reader-flow-column').getByRole('status');
  for (let turn = 0; turn < 40 && (await status.count()) === 0; turn += 1)
    await page.evaluate(() => window.scrollBy(0, 2_000));
  await status.waitFor();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const sections = () =>
    page
      .locator('[data-section]')
      .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset.section)));
  expect(Math.max(...(await sections()))).toBe(5);
  await page.unroute(part);
  await expect.poll(async () => (await sections()).includes(6)).toBe(true);
});

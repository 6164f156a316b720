import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasCorpus } from '#modules/content/content.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { ready } from './public-site.ts';
import { corpusFile } from './reader-site.ts';
import { problems } from './support/axe.ts';
import { desk, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, ctx, errors } = site;
const author = await newPublisher(ctx);

const chapters = Array.from({ length: 40 }, (_, at) => at + 1);
const book = await author.publish(
  Buffer.from(
    chapters
      .map(
        (chapter) =>
          `第${chapter}章 山行之${chapter}\n${`第 ${chapter} 程，石径转入云深处，行人渐少。\n`.repeat(180)}${chapter % 10 === 0 ? '此处藏着一枚古印。\n' : ''}`,
      )
      .join('\n'),
  ),
  '.txt',
  { title: '山行笔记' },
);
const rows = Array.from({ length: 640 }, (_, at) => [
  `编号${at + 1}`,
  `=SUM(A${at})`,
  `城市 ${at % 7}`,
]);
const table = await author.publish(
  Buffer.from(
    [['编号', '算式', ...'甲乙丙丁戊己庚辛'], ...rows].map((row) => row.join(',')).join('\n'),
  ),
  '.csv',
  { title: '城市清单' },
);

const textAt = (page: Page) =>
  page.evaluate(() => document.elementFromPoint(innerWidth / 2, 90)?.textContent ?? '');

test.each([
  ['a desk', desk],
  ['a phone', phone],
])(
  'on %s a book is read as one likes it: letters, paper, chapters and words found',
  async (_, device) => {
    const page = await visit(`/document/${book}#p=20`, device);
    await expect.poll(() => textAt(page)).toMatch(/第 (9|10|11) 程|山行之/);
    const before = await textAt(page);
    // The bars come back when one looks back.
    await page.evaluate(() => window.scrollBy(0, -40));
    await page.getByRole('button', { name: '排版', exact: true }).first().click();
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '宽松' }).click();
    await page.getByRole('button', { name: '米黄' }).click();
    // The place stays under the eyes while the letters grow.
    const chapter = /\d+/.exec(before)?.[0] ?? '';
    await page.keyboard.press('Escape');
    expect(await problems(page)).toEqual([]);
    await expect.poll(() => textAt(page)).toContain(chapter);
    await page.reload();
    const column = page.locator('.reader-flow-column');
    await expect
      .poll(() => column.evaluate((node) => getComputedStyle(node).fontSize))
      .toBe('22px');
    expect(await page.locator('.reader-flow').getAttribute('data-tone')).toBe('sepia');

    await ready(page);
    await page.keyboard.press('/');
    await page.getByLabel('在文档中查找').fill('古印');
    await page.getByText('共 4 处').waitFor();
    await page.getByRole('button', { name: '下一处' }).click();
    await page.getByRole('button', { name: '下一处' }).click();
    const marked = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('reader-hit-active') ?? [];
        const box = (range as Range | undefined)?.getBoundingClientRect();
        return box ? `${range} ${box.top > 0 && box.bottom < innerHeight}` : '';
      });
    await expect.poll(marked).toBe('古印 true');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      device.viewport.width,
    );
    await page.context().close();
  },
  60_000,
);

test.each([
  ['a desk', desk],
  ['a phone', phone],
])(
  'on %s a table keeps its header and numbers in view, finds and computes nothing',
  async (_, device) => {
    const page = await visit(`/document/${table}`, device);
    const grid = page.getByRole('region', { name: /工作表/ });
    await grid.getByText('编号1', { exact: true }).waitFor();
    await grid.getByText('=SUM(A0)').waitFor();
    await grid.evaluate((node) => node.scrollTo(200, 12_000));
    await grid.getByText('编号380', { exact: true }).waitFor();
    const top = async (text: string) =>
      (await grid.getByText(text, { exact: true }).boundingBox())?.y;
    expect((await top('编号')) ?? 0).toBeLessThan((await top('编号380')) ?? 0);
    const number = grid.getByRole('rowheader', { name: '381', exact: true });
    expect((await number.boundingBox())?.x).toBeLessThan(20);
    await page.keyboard.press('/');
    await page.getByLabel('在文档中查找').fill('编号600');
    await page.getByText('共 1 处').waitFor();
    await page.getByRole('button', { name: '下一处' }).click();
    await page.keyboard.press('Escape');
    await grid.locator('td[data-active]', { hasText: '编号600' }).waitFor();
    expect(await problems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      device.viewport.width,
    );
    await page.context().close();
  },
  60_000,
);

test('every document is there as plain text, without scripts and no further than may be read', async () => {
  await setSetting(ctx, 'converter.max_preview', '30');
  const page = await visit(`/document/${book}`, { ...phone, javaScriptEnabled: false });
  await page.getByText('第 1 程').first().waitFor();
  await page.getByRole('link', { name: '文字版' }).click();
  await page.getByRole('heading', { name: '第1章 山行之1', exact: true }).waitFor();
  await page.getByRole('navigation', { name: '分页' }).getByText('2', { exact: true }).click();
  await page.getByText('以上是可以试读的 30 页').waitFor();
  expect(await page.getByText('第 30 页').count()).toBe(1);
  expect(await page.getByText('第 31 页').count()).toBe(0);
  const dark = await visit(`/document/${book}/text?page=2`, { ...desk, colorScheme: 'dark' });
  expect(await problems(dark)).toEqual([]);
  expect(await dark.locator('link[rel=canonical]').getAttribute('href')).toMatch(/\/text\?page=2$/);
  expect((await dark.goto(`/document/${book}/text?page=3`))?.status()).toBe(404);
  await setSetting(ctx, 'converter.max_preview', '0');
  expect(errors).toEqual([]);
}, 60_000);

test.skipIf(!hasCorpus)(
  'real books, texts and workbooks are read',
  async () => {
    const real = [
      ['epub/testEPUB.epub', '.epub', 'This is the text for chapter'],
      ['txt/s_BII-S-2.txt', '.txt', 'Characteristics[organism]'],
      ['xlsx/RepeatingRowsCols.xlsx', '.xlsx', 'no repeating rows or columns'],
    ] as const;
    for (const [file, ext, words] of real) {
      const id = await author.publish(await corpusFile(file), ext, { title: file });
      const page = await visit(`/document/${id}?wd=${encodeURIComponent(words)}`, {
        ...desk,
        colorScheme: 'dark',
      });
      await ready(page);
      await expect.poll(() => page.locator('main').textContent()).toContain(words.slice(0, 12));
      expect(await problems(page)).toEqual([]);
      await page.goto(`/document/${id}/text`);
      expect(await page.locator('main').textContent()).toContain(words.slice(0, 12));
      await page.context().close();
    }
    expect(errors).toEqual([]);
  },
  90_000,
);

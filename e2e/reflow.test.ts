import XLSX from '@e965/xlsx';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasCorpus } from '#modules/content/content.fixture.ts';
import { newPublisher } from '#modules/reading/reading.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { firstOrAll } from '#testing/tier.ts';
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

const twoSheets = XLSX.utils.book_new();
for (const [name, length] of [
  ['收入', 2],
  ['支出', 5_002],
] as const) {
  const cells = Array.from({ length }, (_, at) => [`${name} ${at + 1}`]);
  XLSX.utils.book_append_sheet(twoSheets, XLSX.utils.aoa_to_sheet([['科目'], ...cells]), name);
}
const workbook = await author.publish(XLSX.write(twoSheets, { type: 'buffer' }), '.xlsx', {
  title: '两张表',
});

const textAt = (page: Page) =>
  page.evaluate(() => document.elementFromPoint(innerWidth / 2, 138)?.textContent ?? '');

test.each(
  firstOrAll([
    ['a desk', desk],
    ['a phone', phone],
  ]),
)(
  'on %s a book is read as one likes it: letters, paper, chapters and words found',
  async (_, device) => {
    const page = await visit(`/document/${book}#p=20`, device);
    await expect.poll(() => textAt(page)).toMatch(/第 (9|10|11) 程|山行之/);
    const before = await textAt(page);
    // The bars come back when one looks back.
    await page.evaluate(() => window.scrollBy(0, -40));
    await page.getByRole('button', { name: '排版', exact: true }).first().click();
    const column = page.locator('.reader-flow-column');
    /** How high a line is beside its letters, and how wide the column. */
    const set = () =>
      column.evaluate((node) => {
        const { lineHeight, fontSize } = getComputedStyle(node.querySelector('.prose p') ?? node);
        return [
          Number.parseFloat(lineHeight) / Number.parseFloat(fontSize),
          node.clientWidth,
        ] as const;
      });
    const usual = await set();
    expect(usual[0]).toBeCloseTo(1.9, 1);
    await page.getByRole('button', { name: '窄', exact: true }).click();
    await expect
      .poll(async () => (await set())[1])
      .toBe(Math.min(28 * 18 + 48, device.viewport.width));
    if (device === desk) expect(usual[1]).toBe(38 * 18 + 48);
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '放大字号' }).click();
    await page.getByRole('button', { name: '宽松' }).click();
    await page.getByRole('button', { name: '米黄' }).click();
    await expect.poll(async () => (await set())[0]).toBeCloseTo(2.2, 1);
    // The place stays under the eyes while the letters grow.
    const chapter = /\d+/.exec(before)?.[0] ?? '';
    await page.keyboard.press('Escape');
    expect(await problems(page)).toEqual([]);
    await expect.poll(() => textAt(page)).toContain(chapter);
    await page.reload();
    await expect
      .poll(() => column.evaluate((node) => getComputedStyle(node).fontSize))
      .toBe('22px');
    expect(await page.locator('.reader-flow').getAttribute('data-tone')).toBe('sepia');

    await ready(page);
    await page.evaluate(() => window.scrollBy(0, -40));
    await page.getByRole('button', { name: /^目录/ }).locator('visible=true').click();
    await page.getByRole('button', { name: '第30章 山行之30' }).click();
    await expect.poll(() => textAt(page)).toMatch(/第 30 程|第30章/);
    const progress = page.getByRole('progressbar', { name: '阅读进度' });
    await expect.poll(() => progress.getAttribute('aria-valuenow')).toMatch(/^7[2-7]$/);
    await page.locator('.reader-flow-progress').getByText('第30章 山行之30').waitFor();
    await page
      .locator('.reader-flow-progress')
      .getByText(/^7[2-7]%$/)
      .waitFor();

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
);

test.each(
  firstOrAll([
    ['a desk', desk],
    ['a phone', phone],
  ]),
)(
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
});

test.each(
  firstOrAll([
    ['a desk', desk],
    ['a phone', phone],
  ]),
)('on %s every sheet of a workbook is there, and a long one says it is cut', async (_, device) => {
  const page = await visit(`/document/${workbook}`, device);
  const tabs = page.getByRole('navigation', { name: '工作表' });
  const grid = page.getByRole('region', { name: /工作表/ });
  await grid.getByText('收入 2', { exact: true }).waitFor();
  expect(await tabs.getByRole('button').allTextContents()).toEqual(['收入', '支出']);
  expect(await page.getByText('只显示前').count()).toBe(0);
  await tabs.getByRole('button', { name: '支出' }).click();
  await grid.getByText('支出 2', { exact: true }).waitFor();
  expect(await grid.getByText('收入 2', { exact: true }).count()).toBe(0);
  await page.getByText('只显示前 5000 行，共 5003 行').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    device.viewport.width,
  );
  await tabs.getByRole('button', { name: '收入' }).click();
  await grid.getByText('收入 2', { exact: true }).waitFor();
});

/** What is marked as found within the reader, whichever way it shows the document. */
const markedIn = (page: Page) =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get('reader-hit-active') ?? [];
    if (range) return `${range}`;
    const mark = document.querySelector('[data-reader] [data-mark="active"]');
    if (mark) return mark.closest('[data-page]')?.querySelector('[data-words]')?.textContent ?? '';
    return document.querySelector('[data-reader] td[data-active] mark')?.textContent ?? '';
  });
const plain = (text: string) => text.replaceAll(/\s/g, '');

describe.runIf(hasCorpus)('real documents are read and searched at a desk and on a phone', () => {
  test.each(
    firstOrAll([
      ['pdf/testPDF_rotated.pdf', '.pdf', 'Apache Tika'],
      ['docx/61991.docx', '.docx', 'Transparency'],
      ['pptx/45545_Comment.pptx', '.pptx', 'financing obstacles'],
      ['epub/testEPUB.epub', '.epub', 'This is the text for chapter'],
      ['txt/s_BII-S-2.txt', '.txt', 'Characteristics[organism]'],
      ['xlsx/RepeatingRowsCols.xlsx', '.xlsx', 'no repeating rows or columns'],
    ]),
  )('%s', async (file, ext, words) => {
    const id = await author.publish(await corpusFile(file), ext, { title: file });
    for (const device of [desk, phone]) {
      const page = await visit(`/document/${id}?wd=${encodeURIComponent(words)}`, {
        ...{ ...device, colorScheme: device === desk ? 'dark' : 'light' },
      });
      await ready(page);
      await expect.poll(async () => plain(await markedIn(page))).toContain(plain(words));
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth),
        `${device.viewport.width}`,
      ).toBeLessThanOrEqual(device.viewport.width);
      if (device === phone) continue;
      expect(await problems(page)).toEqual([]);
      await page.goto(`/document/${id}/text`);
      expect(plain((await page.locator('main .prose').textContent()) ?? '')).toContain(
        plain(words),
      );
    }
    expect(errors).toEqual([]);
  });
});

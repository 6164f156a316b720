import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { makeEpub, makePdf } from '#modules/conversion/document-files.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { joinLinesIntoParagraphs } from './join-lines-into-paragraphs.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string };
const { app, ctx, as } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);
const fetchText = async (id: number, query = '', headers: Headers = as.visitor) =>
  (await app.inject({ url: `/api/v1/document/text?id=${id}${query}`, headers })).json();
const pdf = await owner.publish(makePdf({ pages: 45, text: (page) => `Secret number ${page} of the book` }), '.pdf');

describe('the plain text of a document', () => {
  test('comes in parts of twenty pages', async () => {
    const { page, ...rest } = await fetchText(pdf, '&part=3');
    expect(rest).toMatchObject({ view: 'pages', pages: 45, readable: 45, parts: 3, size: 20 });
    expect(page.map(({ page }: { page: number }) => page)).toEqual([41, 42, 43, 44, 45]);
    expect(page[0].paragraphs).toEqual(['Secret number 41 of the book']);
    expect((await fetchText(pdf, '&part=4')).page).toEqual([]);
  });

  test('contains the paragraphs of an EPUB and its outline', async () => {
    const chapters = [{ title: '第一章 出发', html: '<h1>第一章 出发</h1><p>清晨的<b>山谷</b>。</p><p>鸟鸣。</p>' }];
    const { outline, page } = await fetchText(await owner.publish(makeEpub(chapters), '.epub'));
    expect(page).toEqual([
      { page: 1, paragraphs: ['第一章 出发', '清晨的山谷。', '鸟鸣。'], recognized: false, rows: [] },
    ]);
    expect(outline).toEqual([{ depth: 0, title: '第一章 出发', page: 1 }]);
  });

  test('keeps the tabs and the leading spaces of a TXT file', async () => {
    const lines = ['\t一个制表符', '    四个空格', '　　两个全角空格', '甲\t\t乙  丙', '  - 列表'];
    const { page } = await fetchText(await owner.publish(Buffer.from(`标题\n${lines.join('\n')}\n`), '.txt'));
    expect(page).toEqual([{ page: 1, paragraphs: ['标题', ...lines], recognized: false, rows: [] }]);
  });

  test('contains the rows of a table unchanged', async () => {
    const { view, page } = await fetchText(await owner.publish(Buffer.from('品名,数量\n苹果,3\n"=1+1",0\n'), '.csv'));
    expect(view).toBe('sheet');
    expect(page[0].rows).toEqual([
      ['品名', '数量'],
      ['苹果', '3'],
      ['=1+1', '0'],
    ]);
  });

  test('ends at the preview limit except for the owner and administrators', async () => {
    await setSetting(ctx, 'converter.max_preview', '4');
    const preview = await fetchText(pdf);
    expect([preview.readable, preview.parts, preview.page.length]).toEqual([4, 1, 4]);
    expect(JSON.stringify(preview)).not.toContain('number 5');
    expect((await fetchText(pdf, '&part=2')).page).toEqual([]);
    for (const headers of [owner.headers, await as.root()])
      expect((await fetchText(pdf, '&part=3', headers)).page).toHaveLength(5);
    await setSetting(ctx, 'converter.max_preview', '0');
  });

  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['private', { visibility: 2 }],
  ] as const)('is readable only for the owner while the document is %s', async (_, change) => {
    await ctx.db.update(documents).set(change).where(eq(documents.id, pdf));
    expect((await fetchText(pdf)).code).toBe('document.notFound');
    expect((await fetchText(pdf, '', owner.headers)).readable).toBe(45);
    await ctx.db.update(documents).set({ review_state: 'published', visibility: 0 }).where(eq(documents.id, pdf));
  });
});

test('joinLinesIntoParagraphs separates paragraphs by font size, indentation and short last lines', () => {
  const line = (text: string, x: number, y: number, width: number, height = 200) => [
    [text, x, y, width, height] as [string, number, number, number, number],
  ];
  expect(
    joinLinesIntoParagraphs([
      [
        line('一个标题', 3000, 500, 2000, 400),
        line('　　第一段的第一行，一直写到', 1000, 1200, 8000),
        line('页边才换行。', 1000, 1450, 1500),
        line('Second paragraph that goes', 1000, 1700, 8000),
        line('on here', 1000, 1950, 1500),
        [],
      ],
      [],
    ]),
  ).toEqual([['一个标题', '第一段的第一行，一直写到页边才换行。', 'Second paragraph that goes on here'], []]);
});

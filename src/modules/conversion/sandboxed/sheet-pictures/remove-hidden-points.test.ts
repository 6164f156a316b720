import { expect, test } from 'vitest';
import {
  columnChart,
  decodeCharacterNumbers,
  PLOT_VISIBLE_ONLY,
  pointsXml,
  referenceXml,
  seriesXml,
} from '../../chart.fixture.ts';
import type { SheetVisibility } from '../sheet/cell-visibility.ts';
import { withoutHiddenPoints } from './remove-hidden-points.ts';
import type { WorkbookVisibility } from './workbook-visibility.ts';

const sheetHiding = (rows: number[], columns: number[]): SheetVisibility => ({
  isRowHidden: (row) => rows.includes(row),
  isColumnHidden: (column) => columns.includes(column),
  hasHiddenCells: rows.length + columns.length > 0,
});

const workbookOf = (sheets: Record<string, SheetVisibility>): WorkbookVisibility => ({
  visibilityOf: async (name) => sheets[name] ?? null,
  hasHiddenCells: async () => Object.values(sheets).some(({ hasHiddenCells }) => hasHiddenCells),
});

/** Hides the row 3 and the column C of the sheet S, and nothing in the sheet T. */
const workbook = workbookOf({ S: sheetHiding([2], [2]), T: sheetHiding([], []) });

async function chartAfterRemoval(series: string, { plotVisOnly = PLOT_VISIBLE_ONLY, book = workbook } = {}) {
  const chart = await withoutHiddenPoints(Buffer.from(columnChart(series, plotVisOnly)), book);
  return decodeCharacterNumbers(chart.toString());
}

/** Values and declared number of points in a series of these references. */
async function categoriesAfterRemoval(values: string, options?: Parameters<typeof chartAfterRemoval>[1]) {
  // Visible values keep the series.
  const xml = await chartAfterRemoval(
    seriesXml(0, `<c:cat>${values}</c:cat><c:val>${referenceXml('num', 'T!$A$1', ['5'])}</c:val>`),
    options,
  );
  const [, category = ''] = /<c:cat>(.*)<\/c:cat>/.exec(xml) ?? [];
  const points = [...category.matchAll(/<c:pt idx="(\d+)"><c:v>([^<]*)/g)].map(
    ([, index, value]) => `${index}${value}`,
  );
  return { points: points.join(' '), count: Number(/ptCount val="(\d+)"/.exec(category)?.[1]) };
}

test.each([
  ['a column', 'S!$A$2:$A$4', ['a', 'b', 'c'], '0a 1c', 2],
  ['a row', 'S!$A$1:$D$1', ['a', 'b', 'c', 'd'], '0a 1b 2d', 3],
  ['a rectangle', 'S!$B$2:$C$3', ['a', 'b', 'c', 'd'], '0a', 1],
  ['a union', '(S!$A$2,S!$A$3:$A$4,T!$A$3)', ['a', 'b', 'c', 'd'], '0a 1c 2d', 3],
  ['a hidden cell', 'S!$C$1', ['a'], '', 0],
  ['another sheet', 'T!$A$2:$A$4', ['a', 'b', 'c'], '0a 1b 2c', 3],
  ['another workbook', '[1]S!$A$2:$A$4', ['a', 'b', 'c'], '0a 1b 2c', 3],
  ['a reference whose hidden points the writer has left out', 'S!$A$2:$A$4', ['a', 'c'], '0a 1c', 2],
  ['a reference with more points than visible cells', 'S!$A$2:$A$6', ['a', 'b', 'c', 'd', 'e', 'f'], '', 0],
  ['a name', 'S!Sales', ['a', 'b'], '', 0],
  ['a missing sheet', 'Lost!$A$1:$A$2', ['a', 'b'], '', 0],
])('removes the hidden points of %s', async (_, formula, values, points, count) => {
  expect(await categoriesAfterRemoval(referenceXml('str', formula, values))).toEqual({ points, count });
});

test('counts points by their indexes when they exceed the declared number', async () => {
  const reference = referenceXml('num', 'S!$A$2:$A$4', ['1', '2', '3']).replace('ptCount val="3"', 'ptCount val="2"');
  expect(await categoriesAfterRemoval(reference)).toEqual({ points: '01 13', count: 2 });
});

test.each(['<c:plotVisOnly val="0"/>', '<c:plotVisOnly val="false"/>', ''])(
  'keeps all points of a chart with %j, and its XML as it is',
  async (plotVisOnly) => {
    const series = seriesXml(0, `<c:val>${referenceXml('num', 'S!$A$2:$A$4', ['1', '2', '3'])}</c:val>`);
    expect(await chartAfterRemoval(series, { plotVisOnly })).toBe(columnChart(series, plotVisOnly));
  },
);

test.each(['<c:plotVisOnly/>', '<c:plotVisOnly val="true"/>'])(
  'removes points of a chart with %s',
  async (plotVisOnly) => {
    const reference = referenceXml('num', 'S!$A$2:$A$4', ['1', '2', '3']);
    expect((await categoriesAfterRemoval(reference, { plotVisOnly })).points).toBe('01 13');
  },
);

test('keeps names of cells in a workbook without hidden rows and columns', async () => {
  const book = workbookOf({ T: sheetHiding([], []) });
  const series = seriesXml(0, `<c:val>${referenceXml('num', 'T!Sales', ['1', '2'])}</c:val>`);
  expect(await chartAfterRemoval(series, { book })).toBe(columnChart(series));
});

const levelsXml = (formula: string, points: number, ...levels: string[][]) =>
  `<c:multiLvlStrRef><c:f>${formula}</c:f><c:multiLvlStrCache><c:ptCount val="${points}"/>${levels.map((level) => `<c:lvl>${pointsXml(level).replace(/<c:ptCount[^>]*>/, '')}</c:lvl>`).join('')}</c:multiLvlStrCache></c:multiLvlStrRef>`;

test.each([
  [
    'rows',
    'S!$A$2:$B$4',
    3,
    [
      ['i', 'j', 'k'],
      ['x', 'y', 'z'],
    ],
    '0i 1k 0x 1z',
    2,
  ],
  [
    'a level',
    'S!$B$4:$C$6',
    3,
    [
      ['i', 'j', 'k'],
      ['x', 'y', 'z'],
    ],
    '0x 1y 2z',
    3,
  ],
  [
    'columns',
    'S!$A$1:$D$2',
    4,
    [
      ['i', 'j', 'k', 'l'],
      ['w', 'x', 'y', 'z'],
    ],
    '0i 1j 2l 0w 1x 2z',
    3,
  ],
  ['rows that the writer has left out', 'S!$A$2:$B$5', 3, [['i', 'k', 'l'], ['x']], '0i 1k 2l 0x', 3],
  ['cells of a name', 'S!Sales', 2, [['i', 'j'], ['x']], '', 0],
  ['cells of whole columns', 'S!$A:$B', 2, [['i', 'j'], ['x']], '', 0],
  [
    'rows of as many points as levels',
    'S!$A$2:$B$3',
    2,
    [
      ['i', 'j'],
      ['x', 'y'],
    ],
    '',
    0,
  ],
])('removes hidden %s from categories of several levels', async (_, formula, size, levels, points, count) => {
  expect(await categoriesAfterRemoval(levelsXml(formula, size, ...levels))).toEqual({ points, count });
});

test('removes a series without visible values, and the name of another one', async () => {
  const series = (index: number, name: string, values: string) =>
    seriesXml(index, `<c:tx>${referenceXml('str', name, [`name${index}`])}</c:tx><c:val>${values}</c:val>`);
  const xml = await chartAfterRemoval(
    series(0, 'S!$B$1', referenceXml('num', 'S!$C$2:$C$3', ['1', '2'])) +
      series(1, 'S!$C$1', referenceXml('num', 'S!$B$4:$B$5', ['3', '4'])),
  );
  expect(xml).not.toMatch(/name/);
  expect(xml.match(/<c:ser>/g)).toHaveLength(1);
  expect(xml).toContain('<c:pt idx="0"><c:v>3</c:v></c:pt><c:pt idx="1"><c:v>4</c:v></c:pt>');
});

test('removes labels of hidden points, values for labels and error bars', async () => {
  const label = (index: number) =>
    `<c:dLbl><c:idx val="${index}"/><c:tx><c:rich><a:p><a:r><a:t>label${index}</a:t></a:r></a:p></c:rich></c:tx></c:dLbl>`;
  const texts = `<c:extLst><c:ext><c15:datalabelsRange><c15:f>S!$D$2:$D$4</c15:f><c15:dlblRangeCache>${pointsXml(['ra', 'rb', 'rc'])}</c15:dlblRangeCache></c15:datalabelsRange></c:ext></c:extLst>`;
  const errors = `<c:errBars><c:plus>${referenceXml('num', 'S!$E$2:$E$4', ['71', '72', '73'])}</c:plus></c:errBars>`;
  const values = referenceXml('num', 'S!$A$2:$A$4', ['1', '2', '3']);
  const xml = await chartAfterRemoval(
    seriesXml(0, `<c:dLbls>${[0, 1, 2].map(label).join('')}</c:dLbls>${errors}<c:val>${values}</c:val>${texts}`),
  );
  expect(xml.match(/label\d|>r[abc]<|>7\d</g)).toEqual(['label0', 'label2', '>71<', '>73<', '>ra<', '>rc<']);
  expect(xml.match(/<c:idx val="\d"\/><c:tx>/g)).toEqual(['<c:idx val="0"/><c:tx>', '<c:idx val="1"/><c:tx>']);
});

test('removes series that a filter of the chart leaves out, also from a chart that shows hidden cells', async () => {
  const filteredSeries = `<c:extLst><c:ext><c15:filteredBarSeries><c15:ser><c:val>${referenceXml('num', 'T!$B$1', ['99'])}</c:val></c15:ser></c15:filteredBarSeries></c:ext></c:extLst>`;
  const series = seriesXml(0, `<c:val>${referenceXml('num', 'T!$A$1', ['5'])}</c:val>`);
  const xml = await chartAfterRemoval(series + filteredSeries, { plotVisOnly: '' });
  expect(xml).toBe(columnChart(`${series}<c:extLst><c:ext/></c:extLst>`, ''));
});

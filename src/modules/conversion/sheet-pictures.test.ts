import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { slideChartIn } from './chart.fixture.ts';
import { pageName } from './page-name.ts';
import { renditionMeta } from './rendition-meta.ts';
import { convertToSheets } from './sandboxed/sheet/convert-to-sheets.ts';
import { visiblePictures } from './sandboxed/sheet/visible-pictures.ts';
import { readDrawingSlides } from './sandboxed/sheet-pictures/drawing-slides.ts';
import { extractPictures } from './sandboxed/sheet-pictures/extract-pictures.ts';
import { type Section, section } from './section.ts';
import {
  barChart,
  bookWithHiddenChartCells,
  chartXml,
  groupXml,
  HIDDEN_CHART_CELLS,
  oneCellAnchor,
  pictureXml,
  twoCellAnchor,
  withDrawing,
} from './sheet-pictures.fixture.ts';
import { makeWorkbook, rewriteSheet } from './workbook.fixture.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'douku-sheet-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

const square = (color: string, width = 8) =>
  sharp({ create: { width, height: 8, channels: 3, background: color } })
    .png()
    .toBuffer();
const red = await square('red');
const EMU = 9_525;

async function convert(bytes: Buffer) {
  const target = await mkdtemp(path.join(folder, 'book-'));
  const file = path.join(target, 'book.xlsx');
  await writeFile(file, bytes);
  await extractPictures({ file, folder: target });
  const announcedFiles: string[] = [];
  await convertToSheets({ file, folder: target, format: 'xlsx' }, (event) => {
    if (event.type === 'file') announcedFiles.push(event.name);
  });
  const { sheets } = renditionMeta.parse(JSON.parse(await readFile(path.join(target, 'meta.json'), 'utf8')));
  const pageOf = async (page: number): Promise<Section> =>
    section.parse(JSON.parse(await readFile(path.join(target, 'f', `${pageName(page)}.json`), 'utf8')));
  const storedFiles = await readdir(path.join(target, 'i')).catch(() => []);
  expect(storedFiles.map((name) => `i/${name}`).sort()).toEqual([...announcedFiles].sort());
  return { target, sheets, pageOf, announcedFiles };
}

/** Positions of the pictures of a section without their files. */
const positions = ({ pictures = [] }: Section) => pictures.map((picture) => picture.slice(0, 4));

const ten = Array.from({ length: 10 }, (_, row) => [`r${row}`, 'b', 'c']);

test('a picture keeps its position between two cells, or its size from one cell', async () => {
  const workbook = withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
    anchors: [
      twoCellAnchor({ column: 1, row: 2 }, { column: 2, row: 4, rowOffset: 10 * EMU }, pictureXml('image0')),
      oneCellAnchor({ column: 0, row: 5 }, [75 * EMU, 40 * EMU], pictureXml('image0')),
    ],
    images: [red],
  });
  const { pageOf, announcedFiles, sheets } = await convert(workbook);
  const page = await pageOf(1);
  expect(positions(page)).toEqual([
    [2, 1, 2.5, 1],
    [5, 0, 2, expect.closeTo(1, 1)],
  ]);
  expect(announcedFiles).toHaveLength(1);
  expect(page.pictures?.map(([, , , , name]) => name)).toEqual([announcedFiles[0], announcedFiles[0]]);
  expect(sheets[0]).toMatchObject({ rows: 10, columns: 3 });
});

test('a picture counts the heights of its rows, and stays at its visible cells', async () => {
  const book = makeWorkbook('xlsx', [{ name: '数据', rows: ten, hiddenRows: [1], hiddenColumns: [0] }]);
  const tall = rewriteSheet(book, (xml) => xml.replace('<row r="6"', '<row r="6" ht="60"'));
  const { pageOf } = await convert(
    withDrawing(tall, {
      anchors: [
        oneCellAnchor({ column: 1, row: 5 }, [64 * EMU, 80 * EMU], pictureXml('image0')),
        twoCellAnchor({ column: 0, row: 2 }, { column: 1, row: 3 }, pictureXml('image0')),
      ],
      images: [red],
    }),
  );
  const [picture, ...hiddenOnes] = positions(await pageOf(1));
  expect(picture?.slice(0, 3)).toEqual([4, 0, 1]);
  expect(hiddenOnes).toEqual([]);
});

test('pictures of a group have their own places, and hidden ones and those of hidden sheets are not stored', async () => {
  const book = makeWorkbook('xlsx', [
    { name: '数据', rows: ten },
    { name: '隐藏', rows: ten, hidden: 1 },
  ]);
  const anchor = (content: string) => twoCellAnchor({ column: 0, row: 0 }, { column: 2, row: 4 }, content);
  const visible = withDrawing(book, {
    anchors: [
      anchor(groupXml(pictureXml('image0', { bounds: [100, 50, 100, 50] }))),
      anchor(pictureXml('image1', { isHidden: true })),
    ],
    images: [red, await square('blue')],
  });
  const bookWithHiddenSheet = withDrawing(visible, {
    sheet: 2,
    anchors: [anchor(pictureXml('image0'))],
    images: [await square('lime')],
  });
  const { pageOf, announcedFiles } = await convert(bookWithHiddenSheet);
  expect(positions(await pageOf(1))).toEqual([[2, 1, 2, 1]]);
  expect(announcedFiles).toHaveLength(1);
});

test('what is cut off from a picture is not stored', async () => {
  const halves = await sharp({ create: { width: 200, height: 100, channels: 3, background: 'lime' } })
    .composite([
      {
        input: await sharp({ create: { width: 100, height: 100, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
        left: 0,
        top: 0,
      },
    ])
    .png()
    .toBuffer();
  const { target, announcedFiles } = await convert(
    withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
      anchors: [
        twoCellAnchor({ column: 0, row: 1 }, { column: 1, row: 3 }, pictureXml('image0', { crop: 'l="50000"' })),
      ],
      images: [halves],
    }),
  );
  const picture = sharp(path.join(target, announcedFiles[0] ?? ''));
  expect(await picture.metadata()).toMatchObject({ width: 100, height: 100 });
  const { channels } = await picture.stats();
  expect(channels.map(({ mean }) => Math.round(mean / 10))).toEqual([0, 26, 0]);
});

test('a formula of WPS Office becomes a picture in its cell, and a label where its picture is missing', async () => {
  const formula = (id: string) => `=DISPIMG("${id}",1)`;
  const book = makeWorkbook('xlsx', [
    {
      name: '数据',
      rows: [
        ['名称', '图'],
        ['甲', formula('ID_image0')],
        ['乙', formula('ID_missing')],
      ],
      merges: ['B2:C2'],
    },
  ]);
  const { pageOf } = await convert(
    withDrawing(book, { anchors: [], images: [red], cellImages: [pictureXml('image0')] }),
  );
  const page = await pageOf(1);
  expect(page.rows).toEqual([['名称', '图'], ['甲'], ['乙', '[图片]']]);
  expect(positions(page)).toEqual([[1, 1, 1, 2]]);
});

test('a picture below the cells has rows, and is on each page that it covers', async () => {
  const { pageOf, sheets } = await convert(
    withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
      anchors: [twoCellAnchor({ column: 4, row: 90 }, { column: 6, row: 110 }, pictureXml('image0'))],
      images: [red],
    }),
  );
  expect(sheets[0]).toMatchObject({ rows: 110, columns: 6 });
  expect(positions(await pageOf(1))).toEqual([[90, 4, 20, 2]]);
  expect(positions(await pageOf(2))).toEqual([[-10, 4, 20, 2]]);
});

test('a picture in the first row of a sheet without frozen panes keeps the reader from freezing that row', async () => {
  const at = (row: number) => ({
    anchors: [twoCellAnchor({ column: 0, row }, { column: 1, row: row + 3 }, pictureXml('image0'))],
    images: [red],
  });
  const book = makeWorkbook('xlsx', [{ name: '数据', rows: ten }]);
  expect((await convert(withDrawing(book, at(0)))).sheets[0]?.frozen).toEqual([0, 0]);
  expect((await convert(withDrawing(book, at(1)))).sheets[0]?.frozen).toBeUndefined();
});

test('pictures that cannot be decoded are left out', async () => {
  const { pageOf, announcedFiles } = await convert(
    withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
      anchors: [twoCellAnchor({ column: 0, row: 1 }, { column: 1, row: 3 }, pictureXml('image0'))],
      images: [Buffer.from('not a picture')],
    }),
  );
  expect(await pageOf(1)).not.toHaveProperty('pictures');
  expect(announcedFiles).toEqual([]);
});

test.each([true, false])('charts become slides; with numbers of their own: %s', async (hasNumbers) => {
  const { target } = await convert(
    withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
      anchors: [twoCellAnchor({ column: 0, row: 1 }, { column: 3, row: 11 }, chartXml('chart0'))],
      charts: [barChart(hasNumbers)],
    }),
  );
  const slides = readDrawingSlides(target);
  expect(slides).toMatchObject({ hasChartWithoutNumbers: !hasNumbers, height: 200 });
  expect(slides.drawings).toHaveLength(1);
  expect(await readdir(target)).toContain('charts.pptx');
});

test('a chart gives away no values of hidden rows and columns, neither in its text nor in its picture', async () => {
  const { target } = await convert(bookWithHiddenChartCells());
  const text = await readFile(path.join(target, 'text.txt'), 'utf8');
  expect(text).toBe('月份\t销量\n一月\t10\n三月\t30\f\t一月\t三月\n销量\t10\t30');
  const chart = await slideChartIn(target);
  expect(chart).not.toMatch(HIDDEN_CHART_CELLS);
  expect(chart).toContain('<c:v>销量</c:v>');
  expect(chart).toContain('<c:ptCount val="2"/><c:pt idx="0"><c:v>10</c:v></c:pt><c:pt idx="1"><c:v>30</c:v></c:pt>');
  expect(readDrawingSlides(target).hasChartWithoutNumbers).toBe(false);
});

test('a chart that shows hidden rows and columns, as its author chose, keeps their values', async () => {
  const { target } = await convert(bookWithHiddenChartCells({ plotVisOnly: '<c:plotVisOnly val="0"/>' }));
  expect(await readFile(path.join(target, 'text.txt'), 'utf8')).toContain('机密成本\t7001\t7003\t7004');
  expect(await slideChartIn(target)).toContain('机密成本');
});

test('a picture is described by its author or not at all', async () => {
  const picture = pictureXml('image0').replace('name="ID_image0"', 'name="ID_image0" descr="公司大门"');
  const { pageOf } = await convert(
    withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: ten }]), {
      anchors: [
        twoCellAnchor({ column: 0, row: 1 }, { column: 1, row: 3 }, picture),
        twoCellAnchor({ column: 0, row: 4 }, { column: 1, row: 6 }, pictureXml('image0')),
      ],
      images: [red],
    }),
  );
  expect((await pageOf(1)).pictures?.map(([, , , , , label]) => label)).toEqual(['公司大门', '']);
});

test('a drawing outside of any sheet, a chart of a later type and the name of an object property show no picture', async () => {
  const laterChart = chartXml('chart0').replaceAll(
    /http:[^"]*\/chart"/g,
    'http://schemas.microsoft.com/office/drawing/2014/chartex"',
  );
  const anchors = [
    twoCellAnchor({ column: 0, row: 1 }, { column: 1, row: 3_000_000 }, pictureXml('image0')),
    twoCellAnchor({ column: 0, row: 9e300 }, { column: 1, row: 9e301 }, pictureXml('image0')),
    oneCellAnchor({ column: 2 ** 60, row: 1 }, [EMU, EMU], pictureXml('image0')),
    twoCellAnchor({ column: 0, row: 1 }, { column: 1, row: 3 }, laterChart),
  ];
  const book = makeWorkbook('xlsx', [{ name: '数据', rows: [['=DISPIMG("constructor",1)']] }]);
  const { pageOf, target } = await convert(
    withDrawing(book, { anchors, images: [red], charts: [barChart(true)], cellImages: [pictureXml('image0')] }),
  );
  expect(await pageOf(1)).toEqual({ rows: [['[图片]']] });
  expect(readDrawingSlides(target).drawings).toEqual([]);
});

test('a picture below the rows that were read is left out or cut, because hidden rows are not known there', () => {
  const visibility = { isRowHidden: () => false, isColumnHidden: () => false };
  const picture = (row: number) => ({ name: 'i/a.webp', label: '', row, column: 0, endRow: row + 20, endColumn: 1 });
  const positionsIn = (readRows: number, isCut: boolean) =>
    visiblePictures([picture(990), picture(1_100)], visibility, { readRows, isCut }).map(({ row, rows }) => [
      row,
      rows,
    ]);
  expect(positionsIn(1_000, true)).toEqual([[990, 10]]);
  expect(positionsIn(1_000, false)).toEqual([
    [990, 20],
    [1_100, 20],
  ]);
});

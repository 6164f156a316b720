import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { slideChartIn } from './chart.fixture.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { extractPictures } from './sandboxed/sheet-pictures/extract-pictures.ts';
import { section } from './section.ts';
import {
  barChart,
  bookWithHiddenChartCells,
  chartXml,
  HIDDEN_CHART_CELLS,
  pictureXml,
  twoCellAnchor,
  withDrawing,
} from './sheet-pictures.fixture.ts';
import { makeWorkbook } from './workbook.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const office = (await isSandboxAvailable()) ? await findProgram('soffice') : null;
const folder = await mkdtemp(path.join(tmpdir(), 'douku-sheet-pictures-'));
afterAll(() => rm(folder, { recursive: true }));

/** Converts a workbook; returns the pictures of its first page with their positions, sizes and mean colours. */
async function picturesOf(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  const rendition = await waitForRendition(ctx, id);
  expect(rendition).toMatchObject({ state: 'ready', view: 'sheet', reason: '' });
  const keys = renditionStorageKeys(rendition);
  const { pictures = [] } = section.parse(JSON.parse((await ctx.storage.read(keys.section(1))).toString()));
  return Promise.all(
    pictures.map(async ([row, column, rows, columns, file]) => {
      const image = sharp(await ctx.storage.read(keys.picture(file.slice('i/'.length))));
      const { width, height } = await image.metadata();
      const [red, green, blue] = (await image.stats()).channels.map(({ mean }) => mean);
      return { row, column, rows, columns, width, height, redness: (red ?? 0) - ((green ?? 0) + (blue ?? 0)) / 2 };
    }),
  );
}

const redPicture = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

async function bookWithDrawings({ hasNumbers = true } = {}): Promise<Buffer> {
  const rows = [
    ['月份', '数量'],
    ['一月', { v: 10, z: '0' }],
    ['二月', { v: 20, z: '0' }],
  ];
  return withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows }]), {
    anchors: [
      twoCellAnchor({ column: 3, row: 1 }, { column: 8, row: 16 }, chartXml('chart0')),
      twoCellAnchor({ column: 0, row: 5 }, { column: 1, row: 7 }, pictureXml('image0')),
    ],
    images: [await redPicture()],
    charts: [barChart(hasNumbers)],
  });
}

describe.runIf(office)('the charts and pictures of a workbook', () => {
  /** Red bars cover part of the chart, and the whole picture is red. */
  function expectDrawn(pictures: Awaited<ReturnType<typeof picturesOf>>) {
    const [chart, picture] = pictures.toSorted((a, b) => a.redness - b.redness);
    expect(pictures).toHaveLength(2);
    expect(chart?.redness).toBeGreaterThan(20);
    expect(chart?.redness).toBeLessThan(200);
    expect(chart?.width).toBeGreaterThan(400);
    expect(picture?.redness).toBeGreaterThan(240);
    expect([chart?.row, chart?.column, picture?.row, picture?.column].map((each) => Math.round(each ?? -1))).toEqual([
      1, 3, 5, 0,
    ]);
    expect(chart?.rows).toBeCloseTo(15, 0);
  }

  test('of xlsx are drawn', async () => {
    expectDrawn(await picturesOf('图表.xlsx', await bookWithDrawings()));
  });

  test('of xlsx are drawn from the cells when a chart has no copy of their values', async () => {
    expectDrawn(await picturesOf('图表.xlsx', await bookWithDrawings({ hasNumbers: false })));
  });

  test('of WPS Office in cells stay when a chart is drawn from the cells', async () => {
    const rows = [['=DISPIMG("ID_image0",1)'], ['一月', { v: 10, z: '0' }], ['二月', { v: 20, z: '0' }]];
    const book = withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows }]), {
      anchors: [twoCellAnchor({ column: 3, row: 1 }, { column: 8, row: 16 }, chartXml('chart0'))],
      images: [await redPicture()],
      charts: [barChart(false)],
      cellImages: [pictureXml('image0')],
    });
    const positions = (await picturesOf('图片.xlsx', book)).map(({ row, column }) => [row, column]);
    expect(positions.toSorted()).toEqual([
      [0, 0],
      [1, 3],
    ]);
  });

  async function convertWithLibreOffice(name: string, bytes: Buffer | string, extension: string): Promise<Buffer> {
    await writeFile(path.join(folder, name), bytes);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = ['--headless', '--norestore', profile, '--convert-to', extension, name];
    await promisify(execFile)(office ?? '', args, { cwd: folder, env: { PATH: '/usr/bin:/bin', HOME: folder } });
    return readFile(path.join(folder, `${path.parse(name).name}.${extension}`));
  }

  test.each(['xls', 'ods', 'fods'])('of %s are drawn', async (extension) => {
    const bytes = await convertWithLibreOffice('book.xlsx', await bookWithDrawings(), extension);
    expectDrawn(await picturesOf(`图表.${extension}`, bytes));
  });

  test.each(['xls', 'ods', 'fods'])('of %s contain no values of hidden rows and columns', async (extension) => {
    const original = await convertWithLibreOffice('hidden.xlsx', bookWithHiddenChartCells(), extension);
    const copy = path.join(folder, 'hidden.xlsx');
    await convertWithLibreOffice(`hidden.${extension}`, original, 'xlsx');
    await extractPictures({ file: copy, folder });
    const chart = await slideChartIn(folder);
    expect(chart).toContain('<c:v>三月</c:v>');
    expect(chart).not.toMatch(HIDDEN_CHART_CELLS);
  });

  test('in EMF format are drawn without what is cut off', async () => {
    const halves =
      '<rect width="100" height="100" fill="#ff0000"/><rect x="100" width="100" height="100" fill="#00ff00"/>';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${halves}</svg>`;
    const emf = await convertWithLibreOffice('halves.svg', svg, 'emf');
    const book = withDrawing(makeWorkbook('xlsx', [{ name: '数据', rows: [['a']] }]), {
      anchors: [
        twoCellAnchor({ column: 1, row: 1 }, { column: 3, row: 6 }, pictureXml('image0')),
        twoCellAnchor({ column: 1, row: 8 }, { column: 3, row: 13 }, pictureXml('image0', { crop: 'l="52000"' })),
      ],
      images: [emf],
      imageExtension: 'emf',
    });
    const [whole, green] = await picturesOf('矢量图.xlsx', book);
    expect(whole?.redness).toBeGreaterThan(20);
    expect(green?.redness).toBeLessThan(-100);
  });

  const sample = path.join(projectRoot, '../shared/samples/xlsb/testEXCEL_charts.xlsb');
  /** Skipped where the folder of samples beside the checkout is missing. */
  test.runIf(existsSync(sample))('of xlsb are drawn', async () => {
    const [chart, ...otherPictures] = await picturesOf('图表.xlsb', await readFile(sample));
    expect(chart).toMatchObject({ row: expect.closeTo(12.6, 0), column: expect.closeTo(8, 0) });
    expect(chart?.width).toBeGreaterThan(400);
    expect(otherPictures).toEqual([]);
  });
});

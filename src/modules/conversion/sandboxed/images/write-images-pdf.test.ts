import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { openPdf, type Pdf } from '../pdf-engine.ts';
import { type Bitmap, drawPage, readPageSizes, withPage } from '../pdf-page.ts';
import { readPdfWords } from '../pdf-words.ts';
import { bmpFile, bmpWithRunLengths, multiPageTiff, pngWithDeclaredSize } from './images.fixture.ts';
import { writeImagesPdf } from './write-images-pdf.ts';

/** Converts a file and opens the PDF. */
async function convert(bytes: Buffer): Promise<Pdf> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-images-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(`${folder}/input`, bytes);
  await writeImagesPdf({ file: `${folder}/input`, folder }, () => {});
  const pdf = await openPdf(`${folder}/pages.pdf`);
  onTestFinished(pdf.close);
  return pdf;
}

const WIDTH = 60;
const HEIGHT = 40;
const CORNERS = [
  [10, 10],
  [WIDTH - 10, 10],
  [10, HEIGHT - 10],
  [WIDTH - 10, HEIGHT - 10],
] as const;
/** Red, green, blue and yellow in the corners. */
const fourColours = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#ffff00' } })
  .composite(
    [
      { background: '#ff0000', left: 0, top: 0 },
      { background: '#00ff00', left: WIDTH / 2, top: 0 },
      { background: '#0000ff', left: 0, top: HEIGHT / 2 },
    ].map(({ background, left, top }) => ({
      input: { create: { width: WIDTH / 2, height: HEIGHT / 2, channels: 3, background } },
      left,
      top,
    })),
  )
  .removeAlpha()
  .raw()
  .toBuffer();
const image = () => sharp(fourColours, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });

const names: Record<string, string> = {
  '100': 'red',
  '010': 'green',
  '001': 'blue',
  '110': 'yellow',
  '111': 'white',
  '000': 'black',
};
function colourAt({ pixels, width }: Bitmap, x: number, y: number): string {
  const at = (y * width + x) * 4;
  return names[[...pixels.subarray(at, at + 3)].map((value) => (value > 127 ? 1 : 0)).join('')] ?? 'other';
}

function cornersOf(pdf: Pdf, page = 0, corners: readonly (readonly [number, number])[] = CORNERS): string[] {
  const size = readPageSizes(pdf, ({ width, height }) => ({
    width: Math.round((width * 200) / 72),
    height: Math.round((height * 200) / 72),
  }))[page] ?? { width: 1, height: 1 };
  const bitmap = withPage(pdf, page, (handle) => drawPage(pdf, handle, size));
  return corners.map(([x, y]) => colourAt(bitmap, x, y));
}

const FOUR = ['red', 'green', 'blue', 'yellow'];

test.each([
  ['PNG', () => image().png().toBuffer()],
  ['interlaced PNG with 16 bits', () => image().toColourspace('rgb16').png({ progressive: true }).toBuffer()],
  ['PNG with a palette', () => image().png({ palette: true }).toBuffer()],
  ['JPEG', () => image().jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()],
  ['JPEG with a wide colour profile', () => image().withIccProfile('p3').jpeg({ quality: 95 }).toBuffer()],
  ['WebP', () => image().webp({ lossless: true }).toBuffer()],
  ['GIF', () => image().gif().toBuffer()],
  ['TIFF', () => image().tiff({ compression: 'lzw' }).toBuffer()],
  ['BMP with 24 bits', () => bmpFile(fourColours, { width: WIDTH, height: HEIGHT, bits: 24 })],
  ['BMP with 32 bits, top row first', () => bmpFile(fourColours, { width: WIDTH, height: -HEIGHT, bits: 32 })],
  ['BMP with 8 bits', () => bmpFile(fourColours, { width: WIDTH, height: HEIGHT, bits: 8 })],
  ['BMP with 16 bits', () => bmpFile(fourColours, { width: WIDTH, height: HEIGHT, bits: 16 })],
  ['BMP with run lengths', () => bmpWithRunLengths(WIDTH, HEIGHT)],
])('an image in the format %s becomes one page with its colours in place', async (_, build) => {
  const pdf = await convert(await build());
  expect(pdf.pages).toBe(1);
  expect(cornersOf(pdf)).toEqual(FOUR);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a photograph with the EXIF orientation %i is shown upright',
  async (orientation) => {
    const photograph = await image()
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation })
      .toBuffer();
    const upright = await sharp(photograph).autoOrient().raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = upright.info;
    const corners = [
      [10, 10],
      [width - 10, 10],
      [10, height - 10],
      [width - 10, height - 10],
    ] as const;
    const expected = corners.map(([x, y]) => {
      const at = (y * width + x) * channels;
      return names[[...upright.data.subarray(at, at + 3)].map((value) => (value > 127 ? 1 : 0)).join('')];
    });
    expect(cornersOf(await convert(photograph), 0, corners)).toEqual(expected);
  },
);

test('a JPEG in CMYK, which has no bright green, keeps its other colours', async () => {
  const pdf = await convert(await image().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer());
  expect(cornersOf(pdf).filter((_, corner) => corner !== 1)).toEqual(['red', 'blue', 'yellow']);
});

test('transparent pixels are white', async () => {
  const clear = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background: '#00000000' } })
    .png()
    .toBuffer();
  expect(cornersOf(await convert(clear))).toEqual(Array.from(CORNERS, () => 'white'));
});

test('each page of a TIFF file becomes a page with its own size', async () => {
  const pdf = await convert(
    multiPageTiff([
      [60, 40],
      [30, 90],
      [60, 40],
    ]),
  );
  expect(pdf.pages).toBe(3);
  expect(readPageSizes(pdf, ({ width, height }) => ({ width, height }))[1]).toEqual({
    width: expect.closeTo(10.8, 1),
    height: expect.closeTo(32.4, 1),
  });
});

test('an animation becomes one page with its first frame', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00'].map((background) =>
      sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const pdf = await convert(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
  expect(pdf.pages).toBe(1);
  expect(cornersOf(pdf)[0]).toBe('red');
});

const photograph = await sharp({
  create: {
    width: 800,
    height: 600,
    channels: 3,
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
    background: '#888',
  },
})
  .jpeg({ quality: 90 })
  .toBuffer();
const drawing = await sharp(photograph).png().toBuffer();
const tiff = await sharp(photograph).tiff({ compression: 'lzw' }).toBuffer();
const webp = await sharp(photograph).webp().toBuffer();
const bmp = bmpFile(fourColours, { width: WIDTH, height: HEIGHT, bits: 24 });

test.each([
  ['JPEG', photograph],
  ['PNG', drawing],
  ['TIFF', tiff],
  ['WebP', webp],
  ['BMP', bmp],
])('half of an image in the format %s is rejected', async (_, bytes) => {
  await expect(convert(bytes.subarray(0, bytes.length / 2))).rejects.toMatchObject({
    reason: expect.stringMatching(/incomplete|damaged/),
  });
});

test.each([
  ['PNG', pngWithDeclaredSize(30_000, 30_000)],
  ['BMP', bmpFile(Buffer.alloc(3), { width: 30_000, height: 30_000, bits: 24 })],
])('a %s that declares too many pixels is rejected before it is decoded', async (_, bytes) => {
  await expect(convert(bytes)).rejects.toMatchObject({ reason: 'tooLarge' });
});

const textOf = (pdf: Pdf, page: number) =>
  withPage(pdf, page, (handle) => readPdfWords(pdf, handle))
    .map((line) => line.map(([text]) => text).join(''))
    .join('');

test.each([
  ['data behind the end of the file', { strip: 'behind the end' }, '文件不完整'],
  ['a strip without data', { strip: 'empty' }, '文件不完整'],
  ['fewer strips than rows', { strip: 'absent' }, '文件不完整'],
] as const)(
  'a TIFF page with %s is blank, with a note as its text; the other page is shown',
  async (_, options, cause) => {
    const pdf = await convert(
      multiPageTiff(
        [
          [60, 40],
          [60, 40],
        ],
        { damagedPage: 1, ...options },
      ),
    );
    expect(pdf.pages).toBe(2);
    expect(cornersOf(pdf, 0)[0]).toBe('black');
    expect(cornersOf(pdf, 1)).toEqual(Array.from(CORNERS, () => 'white'));
    expect(textOf(pdf, 0)).toBe('');
    expect(textOf(pdf, 1)).toBe(`本页有内容无法显示：本页的图片（${cause}）`);
  },
);

test('a TIFF whose list of pages breaks off ends with a blank page that says so', async () => {
  const whole = multiPageTiff([
    [60, 40],
    [60, 40],
  ]);
  const pdf = await convert(whole.subarray(0, whole.length - 60 * 40 - 20));
  expect(pdf.pages).toBe(2);
  expect(textOf(pdf, 1)).toContain('文件不完整');
});

test('a TIFF without any complete page is rejected', async () => {
  const tiffFile = multiPageTiff([[60, 40]], { damagedPage: 0, strip: 'empty' });
  await expect(convert(tiffFile)).rejects.toMatchObject({ reason: 'incomplete' });
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { multiPageTiff, pngWithDeclaredSize } from './sandboxed/images/images.fixture.ts';
import { storedRar } from './stored-rar.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const folder = await mkdtemp(path.join(tmpdir(), 'douku-comics-'));
afterAll(() => rm(folder, { recursive: true }));
const has7z = (await findProgram('7z')) !== null;
/** Real files beside the checkout; they may be missing. */
const sampleFolder = path.join(projectRoot, '../shared/samples');
const hasSamples = existsSync(sampleFolder);
const canRepack = (await isSandboxAvailable()) && (await findProgram('bsdtar')) !== null;

async function convert(name: string, bytes: Buffer) {
  const { id } = await addRendition(ctx, name, bytes);
  return waitForRendition(ctx, id);
}
type ConvertedComic = Awaited<ReturnType<typeof convert>>;

/** The gray of each page. */
async function graysOf(rendition: ConvertedComic): Promise<number[]> {
  const keys = renditionStorageKeys(rendition);
  const pages = Array.from({ length: rendition.pages }, (_, index) => index + 1);
  return Promise.all(
    pages.map(async (page) => {
      const { stream } = await ctx.storage.get(keys.smallPage(page));
      const { channels } = await sharp(Buffer.concat(await Array.fromAsync(stream))).stats();
      return Math.round(channels[0]?.mean ?? 0);
    }),
  );
}

async function textOf(rendition: ConvertedComic): Promise<string> {
  const { stream } = await ctx.storage.get(renditionStorageKeys(rendition).text);
  return Buffer.concat(await Array.fromAsync(stream)).toString();
}

const page = (gray: number) =>
  sharp({ create: { width: 60, height: 90, channels: 3, background: { r: gray, g: gray, b: gray } } })
    .png()
    .toBuffer();
const [dark, middle, light] = await Promise.all([page(40), page(120), page(200)]);
const members = [
  { name: '第10页.png', body: light },
  { name: '第2页.png', body: middle },
  { name: '封面/001.png', body: dark },
];
const EXPECTED_GRAYS = [40, 120, 200];
const near = (grays: number[]) => grays.map((gray) => Math.round(gray / 10) * 10);

describe('a CBZ file', () => {
  test('has its images as pages in natural order, and the title of ComicInfo.xml', async () => {
    const info = '<ComicInfo><Series>山海经</Series><Number>3</Number><Title>北山 &amp; 东山</Title></ComicInfo>';
    const rendition = await convert(
      '漫画.cbz',
      writeZip([
        ...members.map(({ name, body }) => ({ name: name.replace('封面/', '第1页/'), body })),
        { name: '__MACOSX/第1页/._001.png', body: 'resource fork' },
        { name: '.thumb.png', body: dark },
        { name: 'readme.txt', body: 'text' },
        { name: 'ComicInfo.xml', body: info },
      ]),
    );
    expect(rendition).toMatchObject({ format: 'cbz', state: 'ready', view: 'pages', pages: 3 });
    expect(near(await graysOf(rendition))).toEqual(EXPECTED_GRAYS);
    const { stream } = await ctx.storage.get(renditionStorageKeys(rendition).meta);
    expect(JSON.parse(Buffer.concat(await Array.fromAsync(stream)).toString()).title).toBe('山海经 3：北山 & 东山');
  });

  test('has every page of a TIFF image as a page', async () => {
    const fax = multiPageTiff([
      [60, 90],
      [60, 90],
    ]);
    const rendition = await convert(
      '传真.cbz',
      writeZip([
        { name: '1.png', body: dark },
        { name: '2.tif', body: fax },
      ]),
    );
    expect(rendition).toMatchObject({ state: 'ready', pages: 3 });
  });

  test('has a blank page with a note for a damaged image, and fails when no image can be shown', async () => {
    const truncatedImage = Buffer.from(middle.subarray(0, 60));
    const rendition = await convert(
      '漫画.cbz',
      writeZip([
        { name: '1.png', body: dark },
        { name: '2.png', body: truncatedImage },
      ]),
    );
    // The note is text: the page does not wait for its recognition.
    expect(rendition).toMatchObject({ state: 'ready', pages: 2, scanned_pages: 1 });
    expect(await textOf(rendition)).toContain('本页的图片（文件已损坏）');
    expect(await convert('漫画.cbz', writeZip([{ name: '2.png', body: truncatedImage }]))).toMatchObject({
      state: 'failed',
    });
  });

  test.each([
    ['without images', writeZip([{ name: 'a.txt', body: 'text' }]), '压缩包里没有图片'],
    [
      'with an image that declares too many pixels',
      writeZip([{ name: 'a.png', body: pngWithDeclaredSize(50_000, 50_000) }]),
      '文档过大，无法处理',
    ],
    ['that is a bomb', writeZip([{ name: 'a.png', body: Buffer.alloc(40_000_000) }]), '压缩包展开后过大，无法处理'],
    ['that is truncated', writeZip(members).subarray(0, -60), '文档已损坏，无法打开'],
  ])('%s fails with its reason', async (_, bytes, reason) => {
    expect(await convert('漫画.cbz', bytes)).toMatchObject({ state: 'failed', reason });
  });

  test('with a name that leads outside fails', async () => {
    const rendition = await convert('漫画.cbz', writeZip([{ name: '../../../tmp/escaped.png', body: dark }]));
    expect(rendition).toMatchObject({ state: 'failed', reason: '文档已损坏，无法打开' });
  });
});

describe.runIf(canRepack && hasSamples && (await findProgram('heif-convert')))('an archive with HEIC images', () => {
  const readPhotograph = () => readFile(path.join(sampleFolder, 'heic/testHEIF.heic'));

  test('has their pages in place, and blank pages with a note for damaged or huge ones', async () => {
    const photograph = await readPhotograph();
    const huge = Buffer.from(photograph);
    huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 8);
    huge.writeUInt32BE(60_000, huge.indexOf('ispe') + 12);
    const rendition = await convert(
      '手机.cbz',
      writeZip([
        { name: '00001.png', body: light },
        { name: '00002.HEIC', body: photograph },
        { name: '00003.heic', body: photograph.subarray(0, 6_000) },
        { name: '00004.heif', body: huge },
        { name: '00010.png', body: dark },
        { name: 'ComicInfo.xml', body: '<ComicInfo><Title>会议</Title></ComicInfo>' },
      ]),
    );
    expect(rendition).toMatchObject({ format: 'cbz', state: 'ready', pages: 5, scanned_pages: 3 });
    const grays = near(await graysOf(rendition));
    expect([grays[0], grays[4]]).toEqual([200, 40]);
    const [photographGray] = near(await graysOf(await convert('手机.heic', photograph)));
    expect(grays[1]).toBe(photographGray);
    const text = await textOf(rendition);
    expect(text).toContain('本页的图片（文件已损坏）');
    expect(text).toContain('本页的图片（过大）');
    const { stream } = await ctx.storage.get(renditionStorageKeys(rendition).meta);
    expect(JSON.parse(Buffer.concat(await Array.fromAsync(stream)).toString()).title).toBe('会议');
  });

  test.runIf(has7z)('is repacked from 7z', async () => {
    const members = [
      { name: '1.png', body: light },
      { name: '2.heic', body: await readPhotograph() },
    ];
    const cwd = await mkdtemp(path.join(folder, 'heic-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await Promise.all(members.map(({ name, body }) => writeFile(path.join(cwd, name), body)));
    const file = path.join(cwd, '手机.7z');
    await promisify(execFile)('7z', ['a', file, '.'], { cwd });
    const rendition = await convert('手机.cb7', await readFile(file));
    expect(rendition).toMatchObject({ format: 'cb7', state: 'ready', pages: 2, scanned_pages: 2 });
  });
});

describe.runIf(canRepack)('an archive of another program', () => {
  test('RAR 5 has its images as pages in natural order', async () => {
    const rendition = await convert(
      '漫画.cbr',
      storedRar(members.map(({ name, body }) => ({ name: name.replace('封面/', '第1页/'), body }))),
    );
    expect(rendition).toMatchObject({ format: 'cbr', state: 'ready', pages: 3 });
    expect(near(await graysOf(rendition))).toEqual(EXPECTED_GRAYS);
  });

  test('RAR that is truncated has a blank page with a note for the damaged image', async () => {
    const rar = storedRar(members);
    const rendition = await convert('半.cbr', rar.subarray(0, rar.length - 150));
    expect(rendition).toMatchObject({ state: 'ready', pages: 3 });
    expect(await textOf(rendition)).toContain('本页有内容无法显示');
  });

  test('RAR without a readable image, or that is no archive, fails with its reason', async () => {
    const rar = storedRar(members.slice(0, 1));
    const failures = [
      await convert('a.cbr', rar.subarray(0, rar.length - 150)),
      await convert('b.cbr', Buffer.concat([rar.subarray(0, 8), Buffer.alloc(500, 7)])),
    ];
    expect(failures.map(({ state }) => state)).toEqual(['failed', 'failed']);
    for (const { reason } of failures) expect(reason).toMatch(/文件不完整|文档已损坏/);
  });

  test.runIf(has7z)('7z with a damaged image has a blank page with a note for it', async () => {
    const noise = () =>
      sharp({
        create: {
          width: 200,
          height: 200,
          channels: 3,
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
          background: '#888',
        },
      })
        .png()
        .toBuffer();
    const noiseFolder = await mkdtemp(path.join(tmpdir(), 'douku-noise-'));
    onTestFinished(() => rm(noiseFolder, { recursive: true }));
    for (const name of ['1.png', '2.png', '3.png']) await writeFile(path.join(noiseFolder, name), await noise());
    await promisify(execFile)('7z', ['a', '-bd', '-ms=off', '-m0=lzma', 'noise.7z', '.'], { cwd: noiseFolder });
    const bytes = await readFile(path.join(noiseFolder, 'noise.7z'));
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0x5a, middle, middle + 40);
    const rendition = await convert('坏页.cb7', bytes);
    expect(rendition).toMatchObject({ state: 'ready', pages: 3 });
    expect((await textOf(rendition)).split('\f').map((page) => page.includes('文件已损坏'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test.runIf(has7z)('7z has its images as pages; an encrypted one fails with its reason', async () => {
    for (const { name, body } of members) await writeFile(path.join(folder, name.replace('封面/', '第1页-')), body);
    const pack = async (name: string, ...options: string[]) => {
      await promisify(execFile)('7z', ['a', '-bd', ...options, name, '.', '-x!*.7z'], { cwd: folder });
      return readFile(path.join(folder, name));
    };
    const rendition = await convert('漫画.cb7', await pack('plain.7z'));
    expect(rendition).toMatchObject({ format: 'cb7', state: 'ready', pages: 3 });
    expect(near(await graysOf(rendition))).toEqual(EXPECTED_GRAYS);
    for (const bytes of [await pack('data.7z', '-psecret'), await pack('names.7z', '-psecret', '-mhe=on')])
      expect(await convert('漫画.cb7', bytes)).toMatchObject({ state: 'failed', reason: '文档已加密' });
  });
});

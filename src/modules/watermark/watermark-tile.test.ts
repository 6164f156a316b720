import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawWatermark } from './draw-watermark.ts';
import { watermarkTile } from './watermark-tile.contract.ts';

const whitePage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .webp()
    .toBuffer();

describe('the tile of a watermark', () => {
  test('contains a name with markup as text', () => {
    const { svg } = watermarkTile('<script>"&', 18);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&#60;script&#62;&#34;&#38;');
  });
});

describe('a watermark drawn over a page image', () => {
  test('leaves the size of the page and darkens some of its pixels', async () => {
    const page = await whitePage(1240, 1754);
    const markedPage = sharp(await drawWatermark('page', '张三 12 2026-11-19', async () => page));
    expect(await markedPage.metadata()).toMatchObject({ format: 'webp', width: 1240, height: 1754 });
    const [channel] = (await markedPage.stats()).channels;
    expect(channel?.min).toBeLessThan(225);
    expect(channel?.mean).toBeGreaterThan(250);
  });

  test.each([
    [60, 2000],
    [2000, 40],
  ])('fits a text of 100 characters into a page of %i × %i pixels', async (width, height) => {
    const page = await whitePage(width, height);
    const markedPage = sharp(await drawWatermark(`${width} ${height}`, '长'.repeat(100), async () => page));
    expect(await markedPage.metadata()).toMatchObject({ width, height });
  });

  test('is drawn once for the same page and text', async () => {
    const page = await whitePage(300, 400);
    let loads = 0;
    const load = async () => {
      loads++;
      return page;
    };
    for (const text of ['甲', '甲', '乙']) await drawWatermark('cached page', text, load);
    expect(loads).toBe(2);
  });
});

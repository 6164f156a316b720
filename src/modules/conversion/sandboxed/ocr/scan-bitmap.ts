import sharp from 'sharp';
import type { Quad } from './geometry.ts';
import { pointInQuad, quadHeight } from './geometry.ts';

/** Three bytes a pixel: red, green, blue. */
export type ScanBitmap = { width: number; height: number; pixels: Uint8Array };

export const openBitmap = ({ width, height, pixels }: ScanBitmap) =>
  sharp(pixels, { raw: { width, height, channels: 3 } });

/** The page and copies of half, a quarter and an eighth of its size. */
export type PageImages = { page: ScanBitmap; reductions: ScanBitmap[] };

export async function createPageImages(page: ScanBitmap): Promise<PageImages> {
  const reductions: ScanBitmap[] = [];
  for (const factor of [2, 4, 8]) {
    const [width, height] = [Math.ceil(page.width / factor), Math.ceil(page.height / factor)];
    const pixels = await openBitmap(page).resize(width, height, { fit: 'fill' }).raw().toBuffer();
    reductions.push({ width, height, pixels });
  }
  return { page, reductions };
}

/** Input of a model: rows and columns of the three colours, one after the other. */
export type ColourPlanes = { width: number; height: number; values: Float32Array };

/** The models were trained with blue, green, red. */
const BLUE_GREEN_RED = [2, 1, 0];

export const createPlanes = (width: number, height: number): ColourPlanes => ({
  width,
  height,
  values: new Float32Array(3 * width * height),
});

/** Draws a part of the page, with values from -1 to 1. */
export function drawQuad({ page, reductions }: PageImages, quad: Quad, target: ColourPlanes): void {
  // A tall line is sampled from a smaller copy of the page, because bilinear sampling would skip pixels.
  const level = Math.floor(Math.log2(Math.max(1, quadHeight(quad) / target.height)));
  const source = [page, ...reductions][Math.min(level, reductions.length)] ?? page;
  const scale = { x: source.width / page.width, y: source.height / page.height };
  const plane = target.width * target.height;
  for (let row = 0; row < target.height; row++) {
    for (let column = 0; column < target.width; column++) {
      const { x, y } = pointInQuad(quad, (column + 0.5) / target.width, (row + 0.5) / target.height);
      const at = row * target.width + column;
      sampleInto(source, x * scale.x - 0.5, y * scale.y - 0.5, target.values, at, plane);
    }
  }
}

/** Bilinear; beyond the edges of the page its edge pixels continue. */
function sampleInto(
  { width, height, pixels }: ScanBitmap,
  x: number,
  y: number,
  values: Float32Array,
  at: number,
  plane: number,
): void {
  const clampedX = Math.min(Math.max(x, 0), width - 1);
  const clampedY = Math.min(Math.max(y, 0), height - 1);
  const [left, top] = [Math.floor(clampedX), Math.floor(clampedY)];
  const [shareX, shareY] = [clampedX - left, clampedY - top];
  const stepX = left + 1 < width ? 3 : 0;
  const stepY = top + 1 < height ? 3 * width : 0;
  const start = 3 * (top * width + left);
  for (let channel = 0; channel < 3; channel++) {
    const pixel = start + (BLUE_GREEN_RED[channel] ?? 0);
    const upper = (pixels[pixel] ?? 0) * (1 - shareX) + (pixels[pixel + stepX] ?? 0) * shareX;
    const lower = (pixels[pixel + stepY] ?? 0) * (1 - shareX) + (pixels[pixel + stepY + stepX] ?? 0) * shareX;
    values[channel * plane + at] = (upper * (1 - shareY) + lower * shareY) / 127.5 - 1;
  }
}

/** Shares of the values that become black and white. Most of a line is paper. */
const [BLACK_SHARE, WHITE_SHARE] = [0.02, 0.7] as const;
const CONTRAST_SAMPLE_STEP = 16;

export function stretchContrast({ values }: ColourPlanes): void {
  const samples = values.filter((_, index) => index % CONTRAST_SAMPLE_STEP === 0).sort();
  const valueAt = (share: number) => samples[Math.floor(samples.length * share)] ?? 0;
  const [black, white] = [valueAt(BLACK_SHARE), valueAt(WHITE_SHARE)];
  const scale = 2 / Math.max(white - black, 0.1);
  for (let at = 0; at < values.length; at++)
    values[at] = Math.min(1, Math.max(-1, ((values[at] ?? 0) - black) * scale - 1));
}

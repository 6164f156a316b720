import type { Quad } from './geometry.ts';
import type { Model } from './models.ts';
import { openBitmap, type ScanBitmap } from './scan-bitmap.ts';
import { findTextRegions, type ProbabilityMap } from './text-regions.ts';

/** A4 at 120 dpi, where characters of 8 points are 14 pixels high. */
const DETECTION_LONG_SIDE = 1_408;
/** The model reduces its input by this factor. */
const SIDE_MULTIPLE = 32;
/** Mean and deviation of the colours blue, green and red in its training. */
const COLOUR_MEANS = [0.485, 0.456, 0.406];
const COLOUR_DEVIATIONS = [0.229, 0.224, 0.225];

export async function detectText(detect: Model, page: ScanBitmap): Promise<Quad[]> {
  const map = await computeProbabilityMap(detect, page);
  const scale = { x: page.width / map.width, y: page.height / map.height };
  return findTextRegions(map).map((region) => region.map(({ x, y }) => ({ x: x * scale.x, y: y * scale.y })) as Quad);
}

async function computeProbabilityMap(detect: Model, page: ScanBitmap): Promise<ProbabilityMap> {
  const scale = Math.min(1, DETECTION_LONG_SIDE / Math.max(page.width, page.height));
  const toSide = (pixels: number) => Math.max(1, Math.round((pixels * scale) / SIDE_MULTIPLE)) * SIDE_MULTIPLE;
  const [width, height] = [toSide(page.width), toSide(page.height)];
  const pixels = await openBitmap(page).resize(width, height, { fit: 'fill' }).raw().toBuffer();
  const plane = width * height;
  const values = new Float32Array(3 * plane);
  for (let channel = 0; channel < 3; channel++) {
    const [mean = 0, deviation = 1] = [COLOUR_MEANS[channel], COLOUR_DEVIATIONS[channel]];
    for (let at = 0; at < plane; at++)
      values[channel * plane + at] = ((pixels[3 * at + 2 - channel] ?? 0) / 255 - mean) / deviation;
  }
  const probabilities = await detect(values, [1, 3, height, width]);
  return { width, height, probabilities };
}

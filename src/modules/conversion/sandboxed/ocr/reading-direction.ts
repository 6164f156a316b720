import { type Quad, quadHeight, quadWidth, rotateCorners } from './geometry.ts';
import type { LineBox } from './line-order.ts';
import type { Models } from './models.ts';
import { meanLineConfidence, type RecognizedLine, recognizeLine } from './recognize-line.ts';
import type { PageImages } from './scan-bitmap.ts';

/**
 * `quarters`: direction in which lines are read, in quarter circles clockwise from left to right. `skew`: the remaining
 * angle of the lines, in radians.
 */
export type ReadingDirection = { quarters: number; skew: number };
export type DirectionSample = {
  direction: ReadingDirection;
  /** The lines that were recognized in this direction, by their region. */
  lines: Map<Quad, RecognizedLine>;
  /** Sum over their characters: in a wrong direction the models read few, each with a low confidence. */
  confidenceSum: number;
};

/** A line that is this much longer in one direction is written in that direction. */
const MIN_ELONGATION = 1.5;
const SAMPLE_COUNT = 5;
/** Long lines would cost more and prove as much. */
const MAX_SAMPLE_ELONGATION = 25;
const MIN_SAMPLE_ELONGATION = 3;
/** In the opposite direction text has a much lower confidence, and fewer characters than line heights. */
const [CERTAIN_CONFIDENCE, MIN_CHARACTERS_PER_HEIGHT] = [0.8, 0.5];

const elongation = (quad: Quad) => quadWidth(quad) / Math.max(1, quadHeight(quad));
/** Length of a region of any direction, in heights of its line. */
const lineHeights = (quad: Quad) => Math.max(elongation(quad), 1 / Math.max(elongation(quad), Number.EPSILON));
export const isTall = (quad: Quad): boolean => elongation(quad) < 1 / MIN_ELONGATION;

/** Wide regions are read to the right, or to the left on a page upside down. */
const WIDE_DIRECTIONS = [0, 2];
/**
 * Tall regions are vertical text, which is read like a page rotated clockwise, or a page rotated by a quarter. The models
 * were trained with vertical text whose characters lie on their left side.
 */
const TALL_DIRECTIONS = [1, 3];

/** Recognizes some lines in each direction. */
export async function findReadingDirection(
  models: Models,
  images: PageImages,
  regions: readonly Quad[],
): Promise<DirectionSample> {
  const length = (quads: Quad[]) => quads.reduce((sum, quad) => sum + Math.max(quadWidth(quad), quadHeight(quad)), 0);
  const [tallRegions, wideRegions] = [regions.filter(isTall), regions.filter((region) => !isTall(region))];
  const isMostlyTall = length(tallRegions) > length(wideRegions);
  const samples = selectSamples(isMostlyTall ? tallRegions : wideRegions);
  const minCharacters = samples.reduce((sum, quad) => sum + lineHeights(quad), 0) * MIN_CHARACTERS_PER_HEIGHT;
  let best: DirectionSample = { direction: { quarters: 0, skew: 0 }, lines: new Map(), confidenceSum: -1 };
  for (const quarters of isMostlyTall ? TALL_DIRECTIONS : WIDE_DIRECTIONS) {
    const lines = new Map<Quad, RecognizedLine>();
    for (const region of samples)
      lines.set(region, await recognizeLine(models, images, rotateCorners(region, quarters)));
    const recognizedLines = [...lines.values()];
    const characters = recognizedLines.reduce((sum, { spans }) => sum + spans.length, 0);
    const confidence = meanLineConfidence(recognizedLines);
    const direction = { quarters, skew: measureSkew(recognizedLines, quarters) };
    const confidenceSum = confidence * characters;
    if (confidenceSum > best.confidenceSum) best = { direction, lines, confidenceSum };
    if (confidence >= CERTAIN_CONFIDENCE && characters >= minCharacters) break;
  }
  return best;
}

/** Prefers lines of some length; the longest may be rules or several lines. */
function selectSamples(regions: readonly Quad[]): Quad[] {
  const sortedRegions = regions.toSorted((a, b) => lineHeights(b) - lineHeights(a));
  const suitableRegions = sortedRegions.filter(
    (quad) => lineHeights(quad) <= MAX_SAMPLE_ELONGATION && lineHeights(quad) >= MIN_SAMPLE_ELONGATION,
  );
  const candidates = suitableRegions.length >= SAMPLE_COUNT ? suitableRegions : sortedRegions;
  const step = Math.ceil(candidates.length / SAMPLE_COUNT);
  return candidates.filter((_, index) => index % step === 0);
}

function measureSkew(lines: readonly RecognizedLine[], quarters: number): number {
  const expectedAngle = (quarters * Math.PI) / 2;
  const angles = lines.map(({ quad: [topLeft, topRight] }) => {
    const angle = Math.atan2(topRight.y - topLeft.y, topRight.x - topLeft.x) - expectedAngle;
    return Math.atan2(Math.sin(angle), Math.cos(angle));
  });
  return angles.toSorted((a, b) => a - b)[Math.floor(angles.length / 2)] ?? 0;
}

/** Bounds of a line in coordinates in which `left` is where lines begin and `top` is where the text begins. */
export function boundsInReadingDirection(quad: Quad, { quarters, skew }: ReadingDirection): LineBox {
  const angle = (quarters * Math.PI) / 2 + skew;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [a, , c] = quad;
  const [x, y] = [(a.x + c.x) / 2, (a.y + c.y) / 2];
  const [across, down] = [x * cos + y * sin, y * cos - x * sin];
  const [width, height] = [quadWidth(quad) / 2, quadHeight(quad) / 2];
  return { left: across - width, right: across + width, top: down - height, bottom: down + height };
}

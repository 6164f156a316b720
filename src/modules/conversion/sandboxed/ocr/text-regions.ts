import { cornersOf, minAreaRectangle, type Point, type Quad, type Rectangle } from './geometry.ts';

/** Probability that a pixel belongs to the core of a line of text. */
export type ProbabilityMap = { width: number; height: number; probabilities: Float32Array };

const MIN_PIXEL_PROBABILITY = 0.3;
const MIN_REGION_PROBABILITY = 0.55;
/** The network marks the core of a line, from which the line is this much larger (ratio of area and circumference). */
const EXPANSION_RATIO = 1.6;
const MIN_CORE_PIXELS = 3;
/**
 * Limits the processor time for noise and malicious images. A page of a newspaper has about a thousand lines, together
 * ten thousand times as long as they are high.
 */
const [MAX_REGIONS, MAX_TOTAL_ELONGATION] = [2_000, 12_000];

type Component = { pixels: number; probability: number; outline: Point[] };

/** Post-processing of differentiable binarization: connected pixels, their smallest rectangle, expanded. */
export function findTextRegions(map: ProbabilityMap): Quad[] {
  const regions = findComponents(map)
    .filter(({ pixels, probability }) => probability / pixels >= MIN_REGION_PROBABILITY)
    .map(({ outline }) => minAreaRectangle(outline))
    .filter(({ width, height }) => Math.min(width, height) >= MIN_CORE_PIXELS)
    .toSorted((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, MAX_REGIONS)
    .map(expandCore);
  return limitTotalElongation(regions).map(cornersOf);
}

function limitTotalElongation(rectangles: readonly Rectangle[]): Rectangle[] {
  let total = 0;
  return rectangles.filter(({ width, height }) => {
    total += Math.max(width, height) / Math.min(width, height);
    return total <= MAX_TOTAL_ELONGATION;
  });
}

function expandCore({ center, width, height, angle }: Rectangle): Rectangle {
  const margin = (width * height * EXPANSION_RATIO) / (width + height);
  return { center, width: width + margin, height: height + margin, angle };
}

function findComponents({ width, height, probabilities }: ProbabilityMap): Component[] {
  const isVisited = new Uint8Array(width * height);
  const components: Component[] = [];
  const isCore = (at: number) => (probabilities[at] ?? 0) > MIN_PIXEL_PROBABILITY;
  for (let start = 0; start < probabilities.length; start++) {
    if (isVisited[start] || !isCore(start)) continue;
    isVisited[start] = 1;
    components.push(
      collectComponent({ width, height, probabilities }, start, (at) => {
        if (isVisited[at] || !isCore(at)) return false;
        isVisited[at] = 1;
        return true;
      }),
    );
  }
  return components;
}

/** Collects the pixels connected with `start`. The first and last pixel of each row suffice for the convex hull. */
function collectComponent(
  { width, height, probabilities }: ProbabilityMap,
  start: number,
  visit: (at: number) => boolean,
): Component {
  const rowEnds = new Map<number, [number, number]>();
  const pendingPixels = [start];
  let [pixels, probability] = [0, 0];
  for (let at = pendingPixels.pop(); at !== undefined; at = pendingPixels.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    pixels++;
    probability += probabilities[at] ?? 0;
    const [first, last] = rowEnds.get(y) ?? [x, x];
    rowEnds.set(y, [Math.min(first, x), Math.max(last, x)]);
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++)
        if (visit(row * width + column)) pendingPixels.push(row * width + column);
  }
  const outline = [...rowEnds].flatMap(([y, [first, last]]) =>
    [first, last + 1].flatMap((x) => [
      { x, y },
      { x, y: y + 1 },
    ]),
  );
  return { pixels, probability, outline };
}

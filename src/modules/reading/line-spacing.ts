import { differByMoreThan30Percent, type LinePair, measureLineDistance } from './line-distance.ts';

/** How the lines of a paragraph follow each other, in line heights. */
export type LineSpacing = {
  /** The most frequent line distance within a paragraph; 0 if unknown. */
  distance: number;
  /** The largest line distance within a paragraph. */
  maxDistance: number;
};
/** Spacing of the lines whose font has about this height. */
export type FontSpacing = LineSpacing & { fontHeight: number };

/** Distance of a pair in heights of the font on which it was measured. */
export type RelativeDistance = { ratio: number; height: number; continuesSentence: boolean };

/** Lines further apart than this never belong to one paragraph. */
export const MAX_DISTANCE_HEIGHTS = 3;
/** Smaller distances are between parts of the same line. */
export const MIN_DISTANCE_HEIGHTS = 0.4;
/** Lower limit of `maxDistance`: smaller distances never separate paragraphs. */
const MIN_PARAGRAPH_GAP_HEIGHTS = 1.9;
/** Resolution of the distance histogram, in line heights. */
const DISTANCE_STEP_HEIGHTS = 0.05;
/** A page with fewer distances within paragraphs uses those of the other pages. */
const MIN_DISTANCES = 3;
/** A line distance larger than the normal one by this factor separates paragraphs. */
export const PARAGRAPH_GAP_FACTOR = 1.25;

const UPPER_CASE_START = /^["'“‘([]*\p{Lu}/u;
const SENTENCE_END = /[.!?:;。！？；：…][)\]"'”’」』）]*$/;

export const startsWithCapital = (text: string) => UPPER_CASE_START.test(text);
export const endsWithSentence = (text: string) => SENTENCE_END.test(text);

export const plausibleLineDistances = (pairs: LinePair[]): RelativeDistance[] =>
  pairs.flatMap((pair) => {
    const { distance, height } = measureLineDistance(pair);
    const ratio = distance / height;
    if (ratio < MIN_DISTANCE_HEIGHTS || ratio > MAX_DISTANCE_HEIGHTS) return [];
    const continuesSentence = !endsWithSentence(pair.last.text) && !startsWithCapital(pair.line.text);
    return [{ ratio, height, continuesSentence }];
  });

/** The most frequent distance, with tolerance. On a tie the smaller distance wins. */
function mostFrequentRatio(distances: RelativeDistance[]): number {
  const counts = new Map<number, number>();
  for (const { ratio } of distances) {
    const step = Math.round(ratio / DISTANCE_STEP_HEIGHTS);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const supportOf = (step: number) =>
    [step - 1, step, step + 1].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  const [mostFrequent = 0] = [...counts.keys()].sort((a, b) => a - b).sort((a, b) => supportOf(b) - supportOf(a));
  return mostFrequent * DISTANCE_STEP_HEIGHTS;
}

function lineSpacing(distances: RelativeDistance[]): LineSpacing {
  const distance = mostFrequentRatio(distances);
  return { distance, maxDistance: Math.max(MIN_PARAGRAPH_GAP_HEIGHTS, distance * PARAGRAPH_GAP_FACTOR) };
}

export const measureLineSpacing = (pageDistances: RelativeDistance[], allDistances: RelativeDistance[]) =>
  lineSpacing(pageDistances.length < MIN_DISTANCES ? allDistances : pageDistances);

export const findFontSpacing = <T extends { fontHeight: number }>(spacings: T[], height: number): T | undefined =>
  spacings.find(({ fontHeight }) => !differByMoreThan30Percent(fontHeight, height));

/**
 * Font heights that differ by more than 30 %, most frequent first; each stands for the heights close to it. There are
 * only a few, because each is larger than the next smaller one by a factor.
 */
function mainFontHeights(distances: RelativeDistance[]): { fontHeight: number }[] {
  const counts = new Map<number, number>();
  for (const { height } of distances) counts.set(height, (counts.get(height) ?? 0) + 1);
  const mainHeights: { fontHeight: number }[] = [];
  for (const [fontHeight] of [...counts].sort(([, a], [, b]) => b - a))
    if (!findFontSpacing(mainHeights, fontHeight)) mainHeights.push({ fontHeight });
  return mainHeights;
}

/** Few distances may all be between paragraphs, unless a sentence continues. */
const withinParagraphs = (distances: RelativeDistance[]) =>
  distances.length < MIN_DISTANCES ? distances.filter(({ continuesSentence }) => continuesSentence) : distances;

/**
 * The spacing of each font on each page. Fonts are measured separately because the height of a word box is not the font
 * size: with equal leading, Latin lines are more of their box heights apart than Chinese lines. Fonts without distances
 * within paragraphs are left out.
 */
export function measureFontSpacings(pages: RelativeDistance[][]): FontSpacing[][] {
  const mainHeights = mainFontHeights(pages.flat());
  const groupByFont = (distances: RelativeDistance[]) =>
    Map.groupBy(distances, ({ height }) => findFontSpacing(mainHeights, height)?.fontHeight);
  const allByFont = groupByFont(pages.flat());
  return pages.map((pageDistances) => {
    const pageByFont = groupByFont(pageDistances);
    return mainHeights.flatMap(({ fontHeight }) => {
      const allDistances = withinParagraphs(allByFont.get(fontHeight) ?? []);
      if (allDistances.length === 0) return [];
      const { distance, maxDistance } = measureLineSpacing(pageByFont.get(fontHeight) ?? [], allDistances);
      return [{ fontHeight, distance, maxDistance }];
    });
  });
}

import { haveDifferentFontSize, startsWithChinese, type TextLine, wouldFirstWordFit } from './text-line.ts';

/** The text area of a page, and how its lines follow each other. */
export type TextColumn = {
  left: number;
  right: number;
  /** Whether lines that reach the right margin continue in the next line. In a memo no line does. */
  isWrapped: boolean;
  /** The usual line distance within a paragraph, in line heights; 0 if unknown. */
  distance: number;
  /** The largest line distance within a paragraph, in line heights. */
  pitch: number;
};
type LinePair = { last: TextLine; line: TextLine };

/** Width of a page in the units of `ReadingWord`. */
const PAGE_WIDTH = 10_000;
/** If all lines are shorter than this part of the text area, their ends are intended, as in a poem. */
const MIN_WRAPPED_WIDTH = 0.6;
/** This share of the lines may extend beyond the right margin, for example the rows of a wide table. */
const MAX_OVERHANGING_SHARE = 0.02;
/** Lines further apart than this never belong to one paragraph. */
const MAX_PITCH_HEIGHTS = 3;
/** Smaller distances are between parts of the same line. */
export const MIN_DISTANCE_HEIGHTS = 0.4;
/** Lower limit for the pitch: smaller distances never separate paragraphs. */
const CLOSE_PITCH_HEIGHTS = 1.9;
/** Resolution of the distance histogram, in line heights. */
const PITCH_STEP = 0.05;
/** A page with fewer distances within paragraphs uses those of the other pages. */
const MIN_PAGE_DISTANCES = 3;
/** A line distance larger than the normal one by this factor separates paragraphs. */
export const PARAGRAPH_GAP_FACTOR = 1.25;

/** This number of lines with the same right end shows a margin. */
const MIN_ALIGNED_LINES = 3;

const LOWER_CASE_START = /^["'“‘([]*\p{Ll}/u;
const UPPER_CASE_START = /^["'“‘([]*\p{Lu}/u;
const SENTENCE_END = /[.!?:;。！？；：…][)\]"'”’」』）]*$/;

export const startsInLowerCase = ({ text }: TextLine) => LOWER_CASE_START.test(text);
/** Capital letters alone do not show a start: in a text of capitals every line has one. */
const startsLikeParagraph = ({ last, line }: LinePair) =>
  UPPER_CASE_START.test(line.text) && /\p{Ll}/u.test(last.text + line.text) && !SENTENCE_END.test(last.text);

/** Lines that follow each other on a page in equal size. */
function consecutiveLinePairs(lines: TextLine[]): LinePair[] {
  return lines.flatMap((line, index) => {
    const last = lines[index - 1];
    if (!last || haveDifferentFontSize(line, last) || line.top <= last.lastTop) return [];
    return line.top - last.lastTop > line.height * MAX_PITCH_HEIGHTS ? [] : [{ last, line }];
  });
}

/** Whether a line ends so close to the right margin that the next line may continue it. */
export const isFullLine = (last: TextLine, line: TextLine, right: number) =>
  startsWithChinese(line.text) ? right - last.right <= last.height * 1.5 : !wouldFirstWordFit(line, last, right);

const relativeLineDistance = ({ last, line }: LinePair) =>
  (line.top - last.lastTop) / Math.max(line.height, last.height);

/** The most frequent distance, with tolerance. On a tie the smaller distance wins. */
function mostFrequentDistance(distances: number[]): number {
  const counts = new Map<number, number>();
  for (const distance of distances) {
    const step = Math.round(distance / PITCH_STEP);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const supportOf = (step: number) =>
    [step - 1, step, step + 1].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  const [mostFrequent = 0] = [...counts.keys()].sort((a, b) => a - b).sort((a, b) => supportOf(b) - supportOf(a));
  return mostFrequent * PITCH_STEP;
}

/** The margin that all but a few lines keep. */
function rightMarginOf(lines: TextLine[]): number {
  const ends = lines.map((line) => line.right).sort((a, b) => b - a);
  return ends[Math.floor(ends.length * MAX_OVERHANGING_SHARE)] ?? PAGE_WIDTH;
}

/**
 * Whether the longest lines end at a margin and not by chance: several end at the same place, or they reach as far as
 * the margin of the other side, or the next line visibly continues a sentence or an indented first line.
 */
function hasWrappedLines(lines: TextLine[], fullPairs: LinePair[], { left, right }: { left: number; right: number }) {
  const alignedLines = lines.filter((line) => Math.abs(right - line.right) < line.height * 0.25);
  if (alignedLines.length >= MIN_ALIGNED_LINES) return true;
  const continuations = fullPairs.filter(
    ({ last, line }) => startsInLowerCase(line) || last.left - line.left > line.height,
  );
  const starts = fullPairs.filter(startsLikeParagraph);
  if (starts.length > continuations.length) return false;
  const height = lines.reduce((largest, line) => Math.max(largest, line.height), 1);
  return continuations.length > 0 || right >= PAGE_WIDTH - left - height * 2;
}

const measureLeftMargin = (lines: TextLine[]) => lines.reduce((left, line) => Math.min(left, line.left), PAGE_WIDTH);

/** Measures pages with the same left margin together, because a single page may have no full line. */
export function measureTextColumns(pages: TextLine[][]): TextColumn[] {
  const groups = Map.groupBy(pages, (lines) => Math.round(measureLeftMargin(lines) / 100));
  const columns = new Map([...groups.values()].flatMap(measurePageGroup));
  return pages.map(
    (lines) => columns.get(lines) ?? { left: 0, right: PAGE_WIDTH, isWrapped: true, distance: 0, pitch: 0 },
  );
}

function measurePageGroup(pages: TextLine[][]): [TextLine[], TextColumn][] {
  const lines = pages.flat();
  const left = measureLeftMargin(lines);
  const longest = rightMarginOf(lines);
  const oppositeMargin = PAGE_WIDTH - left;
  const areShort = longest - left < (oppositeMargin - left) * MIN_WRAPPED_WIDTH;
  const right = areShort ? oppositeMargin : longest;
  const fullPairsOf = (page: TextLine[]) =>
    consecutiveLinePairs(page).filter(({ last, line }) => isFullLine(last, line, right));
  const fullPairs = pages.flatMap(fullPairsOf);
  const isWrapped = areShort || hasWrappedLines(lines, fullPairs, { left, right });
  const distances = plausibleLineDistances(fullPairs);
  const allDistances = distances.length > 0 ? distances : plausibleLineDistances(pages.flatMap(consecutiveLinePairs));
  return pages.map((page) => {
    const pageDistances = plausibleLineDistances(fullPairsOf(page));
    const distance = mostFrequentDistance(pageDistances.length < MIN_PAGE_DISTANCES ? allDistances : pageDistances);
    const pitch = Math.max(CLOSE_PITCH_HEIGHTS, distance * PARAGRAPH_GAP_FACTOR);
    return [page, { left, right, isWrapped, distance, pitch }];
  });
}

const plausibleLineDistances = (pairs: LinePair[]) =>
  pairs
    .map(relativeLineDistance)
    .filter((distance) => distance >= MIN_DISTANCE_HEIGHTS && distance <= MAX_PITCH_HEIGHTS);

import { haveDifferentFontSize, type LineDistance, type LinePair, measureLineDistance } from './line-distance.ts';
import {
  endsWithSentence,
  type FontSpacing,
  findFontSpacing,
  type LineSpacing,
  MAX_DISTANCE_HEIGHTS,
  measureFontSpacings,
  measureLineSpacing,
  plausibleLineDistances,
  startsWithCapital,
} from './line-spacing.ts';
import { startsWithChinese, type TextLine, wouldFirstWordFit } from './text-line.ts';

/** The text area of a page, and how its lines follow each other. */
export type TextColumn = {
  left: number;
  right: number;
  /** Whether lines that reach the right margin continue in the next line. In a memo no line does. */
  isWrapped: boolean;
  /** Spacing of the lines whose font is not in `fontSpacings`. */
  spacing: LineSpacing;
  fontSpacings: FontSpacing[];
};

/** Width of a page in the units of `ReadingWord`. */
const PAGE_WIDTH = 10_000;
/** If all lines are shorter than this part of the text area, their ends are intended, as in a poem. */
const MIN_WRAPPED_WIDTH = 0.6;
/** This share of the lines may extend beyond the right margin, for example the rows of a wide table. */
const MAX_OVERHANGING_SHARE = 0.02;
/** This number of lines with the same right end shows a margin. */
const MIN_ALIGNED_LINES = 3;

const LOWER_CASE_START = /^["'“‘([]*\p{Ll}/u;

export const startsInLowerCase = ({ text }: TextLine) => LOWER_CASE_START.test(text);
/** Capital letters alone do not show a start: in a text of capitals every line has one. */
const startsLikeParagraph = ({ last, line }: LinePair) =>
  startsWithCapital(line.text) && /\p{Ll}/u.test(last.text + line.text) && !endsWithSentence(last.text);

/** Lines that follow each other on a page in equal size. */
function consecutiveLinePairs(lines: TextLine[]): LinePair[] {
  return lines.flatMap((line, index) => {
    const last = lines[index - 1];
    if (!last || haveDifferentFontSize({ last, line })) return [];
    const { distance, height } = measureLineDistance({ last, line });
    return distance <= 0 || distance > height * MAX_DISTANCE_HEIGHTS ? [] : [{ last, line }];
  });
}

/** Whether a line ends so close to the right margin that the next line may continue it. */
export const isFullLine = (last: TextLine, line: TextLine, right: number) =>
  startsWithChinese(line.text) ? right - last.right <= last.height * 1.5 : !wouldFirstWordFit(line, last, right);

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
  const spacing = { distance: 0, maxDistance: 0 };
  return pages.map(
    (lines) => columns.get(lines) ?? { left: 0, right: PAGE_WIDTH, isWrapped: true, spacing, fontSpacings: [] },
  );
}

function measurePageGroup(pages: TextLine[][]): [TextLine[], TextColumn][] {
  const lines = pages.flat();
  const left = measureLeftMargin(lines);
  const longest = rightMarginOf(lines);
  const oppositeMargin = PAGE_WIDTH - left;
  const areShort = longest - left < (oppositeMargin - left) * MIN_WRAPPED_WIDTH;
  const right = areShort ? oppositeMargin : longest;
  const fullPairs = pages.map((page) =>
    consecutiveLinePairs(page).filter(({ last, line }) => isFullLine(last, line, right)),
  );
  const isWrapped = areShort || hasWrappedLines(lines, fullPairs.flat(), { left, right });
  const pageDistances = fullPairs.map(plausibleLineDistances);
  const distances = pageDistances.flat();
  const allDistances = distances.length > 0 ? distances : plausibleLineDistances(pages.flatMap(consecutiveLinePairs));
  const fontSpacings = measureFontSpacings(pageDistances);
  return pages.map((page, index) => {
    const spacing = measureLineSpacing(pageDistances[index] ?? [], allDistances);
    return [page, { left, right, isWrapped, spacing, fontSpacings: fontSpacings[index] ?? [] }];
  });
}

/** Spacing of the lines whose distance was measured on a font of this height. */
export const spacingFor = ({ height }: LineDistance, { spacing, fontSpacings }: TextColumn): LineSpacing =>
  findFontSpacing(fontSpacings, height) ?? spacing;

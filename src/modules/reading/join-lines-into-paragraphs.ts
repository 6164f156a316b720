import { haveDifferentFontSize, haveDifferentMainFonts, measureLineDistance } from './line-distance.ts';
import { MIN_DISTANCE_HEIGHTS, PARAGRAPH_GAP_FACTOR } from './line-spacing.ts';
import {
  isFullLine,
  measureTextColumns,
  spacingFor,
  startsInLowerCase,
  type TextColumn,
} from './measure-text-columns.ts';
import type { ReadingWord } from './reading.contract.ts';
import { createTextLine, endsWithChinese, startsWithChinese, type TextLine, wouldFirstWordFit } from './text-line.ts';

const BULLET = /^[•●○■□◆◇▪▸➢✓*·–—-]\s*\S/;
const LIST_MARKER =
  /^(?:[•●○■□◆◇▪▸➢✓*·–—-]\s*\S|\d{1,3}[.)]\s+\D|\d{1,3}[、．）]|[（(](?:\d{1,3}|[一二三四五六七八九十]{1,3})[)）]|[一二三四五六七八九十]{1,3}、|第[\d一二三四五六七八九十百]{1,5}[章节条])/;
const CHINESE_SENTENCE_END = /[。！？；：…”’」』）]$/;
const LATIN_SENTENCE_END = /[.!?:][)\]"'”’]*$/;
const LATIN_SENTENCE_START = /^["'“‘([]*\p{Lu}/u;
const ENDS_WITH_HYPHEN = /\p{L}-$/u;
/** In a paragraph with an indented first line, a line may leave this part of the column free. */
const MAX_FREE_SHARE = 0.2;
/** Right-aligned lines start beyond this part of the column. The second of two columns starts before it. */
const RIGHT_ALIGNED_SHARE = 0.6;

/** `first` is the first line of the paragraph of `last`. */
type LineContext = {
  line: TextLine;
  first: TextLine;
  last: TextLine;
  beforeLast: TextLine | undefined;
  next: TextLine | undefined;
};

const isSentenceEnd = ({ text }: TextLine) => LATIN_SENTENCE_END.test(text) || CHINESE_SENTENCE_END.test(text);

/**
 * Whether a sentence ends before a larger gap than the neighbouring ones within paragraphs, or than the typical one
 * if there are none. Gaps are compared with each other because LibreOffice writes fonts that are higher than their line
 * distance.
 */
function hasGapBefore({ line, last, beforeLast, next }: LineContext, column: TextColumn): boolean {
  if (!isSentenceEnd(last)) return false;
  const distanceWithin = (upper: TextLine | undefined, lower: TextLine | undefined) =>
    upper && lower && !haveDifferentFontSize({ last: upper, line: lower }) && isFullLine(upper, lower, column.right)
      ? measureLineDistance({ last: upper, line: lower }).distance
      : 0;
  const gap = measureLineDistance({ last, line });
  const distances = [distanceWithin(beforeLast, last), distanceWithin(line, next)].filter(
    (each) => each > gap.height * MIN_DISTANCE_HEIGHTS,
  );
  const typicalDistance = spacingFor(gap, column).distance * gap.height;
  if (distances.length === 0 && typicalDistance > 0) distances.push(typicalDistance);
  return gap.distance > Math.min(...distances) * PARAGRAPH_GAP_FACTOR;
}

/**
 * Whether a sentence ends before a line in another script although the line had room for more, as between the English
 * and the Chinese paragraphs of a bilingual text.
 */
function changesScriptAfterSentence({ line, last }: LineContext, { right }: TextColumn): boolean {
  if (!isSentenceEnd(last) || !haveDifferentMainFonts({ last, line })) return false;
  return startsWithChinese(line.text)
    ? right - last.right > Math.min(line.height, last.height)
    : wouldFirstWordFit(line, last, right);
}

/** Whether two lines end at the right margin but start at different places, like the name and date below a letter. */
function areRightAligned(a: TextLine, b: TextLine, { left, right }: TextColumn): boolean {
  const size = Math.max(a.height, b.height);
  const indentation = Math.min(a.left, b.left) - left;
  if (indentation < (right - left) * RIGHT_ALIGNED_SHARE) return false;
  return Math.abs(a.right - b.right) < size / 2 && Math.abs(a.left - b.left) > size;
}

/** Whether a line starts a paragraph, by distance, size, indentation or the end of the last line. */
function startsParagraph(context: LineContext, column: TextColumn): boolean {
  const { line, first, last } = context;
  const size = Math.max(line.height, last.height);
  const gap = measureLineDistance({ last, line });
  const maxDistance = spacingFor(gap, column).maxDistance * gap.height;
  if (gap.distance > maxDistance || gap.distance < 0 || haveDifferentFontSize({ last, line })) return true;
  if (LIST_MARKER.test(line.text) || hasGapBefore(context, column)) return true;
  if (changesScriptAfterSentence(context, column)) return true;
  if (BULLET.test(first.text) && first.left - line.left > size / 2) return true;
  // Continuation lines of a list item are indented below its text.
  const isListItem = LIST_MARKER.test(last.text);
  const isIndented = !isListItem && line.left - column.left > size && last.left - column.left <= size;
  return isIndented || areRightAligned(last, line, column) || lastLineEndsParagraph(context, column);
}

/** Whether the last line ends early although the next word would fit. */
function lastLineEndsParagraph({ line, first, last }: LineContext, column: TextColumn): boolean {
  const size = Math.max(line.height, last.height);
  const right = column.isWrapped || startsInLowerCase(line) ? column.right : Number.POSITIVE_INFINITY;
  const freeWidth = right - last.right;
  if (CHINESE_SENTENCE_END.test(last.text) && freeWidth > size * 1.5) return true;
  const fits = wouldFirstWordFit(line, last, right);
  if (!LATIN_SENTENCE_END.test(last.text)) {
    const isBelowIndentedLine = first.left - line.left > size && last !== first;
    const maxFreeWidth = isBelowIndentedLine ? (column.right - column.left) * MAX_FREE_SHARE : size * 3;
    return freeWidth > maxFreeWidth && fits;
  }
  const isSentenceStart = LATIN_SENTENCE_START.test(line.text);
  return freeWidth > size * 3 || (isSentenceStart && fits);
}

/** The paragraphs of consecutive pages of a document. */
export function joinLinesIntoParagraphs(pages: ReadingWord[][][]): string[][] {
  const pageLines = pages.map((page) => page.flatMap((words) => createTextLine(words) ?? []));
  const columns = measureTextColumns(pageLines);
  return pageLines.map((lines, index) => {
    const column = columns[index];
    return column ? joinParagraphs(lines, column) : [];
  });
}

/** A compound such as Franco-German is joined without a space. */
const needsSpace = (last: string, next: string) =>
  !endsWithChinese(last) && !startsWithChinese(next) && !(ENDS_WITH_HYPHEN.test(last) && /^\p{L}/u.test(next));

function joinParagraphs(lines: TextLine[], column: TextColumn): string[] {
  const paragraphs: string[] = [];
  let [first] = lines;
  for (const [index, line] of lines.entries()) {
    const [beforeLast, last, next] = [lines[index - 2], lines[index - 1], lines[index + 1]];
    const before = paragraphs.at(-1);
    if (!last || !first || before === undefined || startsParagraph({ line, first, last, beforeLast, next }, column)) {
      paragraphs.push(line.text);
      first = line;
    } else {
      paragraphs[paragraphs.length - 1] = before + (needsSpace(last.text, line.text) ? ' ' : '') + line.text;
    }
  }
  return paragraphs;
}

import type { ReadingWord } from './reading.contract.ts';

type Line = {
  text: string;
  left: number;
  right: number;
  top: number;
  height: number;
  firstWordWidth: number;
};
/** The text area, and the largest line distance within a paragraph in line heights. */
type PageMetrics = { left: number; right: number; pitch: number };

/** Lines further apart than this never belong to one paragraph. */
const MAX_PITCH_HEIGHTS = 3;
/** Lower limit for `pitchOf`: smaller distances never separate paragraphs. */
const CLOSE_PITCH_HEIGHTS = 1.9;
/** A line distance larger than the normal one by this factor separates paragraphs. */
const PARAGRAPH_GAP_FACTOR = 1.25;

const LIST_MARKER =
  /^(?:[•●○■□◆◇▪▸➢✓*·–—-]\s*\S|\d{1,3}[.)]\s+\D|\d{1,3}[、．）]|[（(](?:\d{1,3}|[一二三四五六七八九十]{1,3})[)）]|[一二三四五六七八九十]{1,3}、|第[\d一二三四五六七八九十百]{1,5}[章节条])/;
const CHINESE_SENTENCE_END = /[。！？；：…”’」』）]$/;
const LATIN_SENTENCE_END = /[.!?:][)\]"'”’]*$/;
const LATIN_SENTENCE_START = /^["'“‘([]*\p{Lu}/u;

/** Chinese lines are joined without a space. */
const isWide = (letter = '') => /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/.test(letter);

function lineOf(words: ReadingWord[]): Line | null {
  const text = words
    .map(([word]) => word)
    .join('')
    .trim();
  if (text === '') return null;
  const left = Math.min(...words.map(([, x]) => x));
  const right = Math.max(...words.map(([, x, , width]) => x + width));
  const top = Math.min(...words.map(([, , y]) => y));
  const height = Math.max(1, ...words.map(([, , , , each]) => each));
  const firstWordWidth = words.find(([word]) => word.trim() !== '')?.[3] ?? 0;
  return { text, left, right, top, height, firstWordWidth };
}

const differsInSize = (one: Line, other: Line) =>
  Math.abs(one.height - other.height) > Math.max(one.height, other.height) * 0.3;

/** Resolution of the distance histogram, in line heights. */
const PITCH_STEP = 0.05;
/** Smaller distances are between parts of the same line. */
const MIN_PITCH_HEIGHTS = 0.4;

/** The most frequent distance between lines of equal size, with tolerance. */
function pitchOf(lines: Line[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const last = lines[index - 1];
    if (!last || differsInSize(line, last)) continue;
    const pitch = (line.top - last.top) / Math.max(line.height, last.height);
    if (pitch < 0.8 || pitch > MAX_PITCH_HEIGHTS) continue;
    const step = Math.round(pitch / PITCH_STEP);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const supportOf = (step: number) =>
    [step - 1, step, step + 1].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  // On a tie the smaller distance wins.
  const [mostFrequent = 0] = [...counts.keys()]
    .sort((one, other) => one - other)
    .sort((one, other) => supportOf(other) - supportOf(one));
  return Math.max(CLOSE_PITCH_HEIGHTS, mostFrequent * PITCH_STEP * PARAGRAPH_GAP_FACTOR);
}

type LineContext = { line: Line; last: Line; beforeLast: Line | undefined; next: Line | undefined };

/** Width of a space relative to the line height. */
const SPACE_HEIGHTS = 0.25;

/** Whether the first word of this line would have fit into the last one; a Chinese character always fits. */
const wouldFit = (line: Line, last: Line, right: number) =>
  isWide(line.text[0]) || right - last.right > line.firstWordWidth + Math.min(line.height, last.height) * SPACE_HEIGHTS;

/**
 * Whether a sentence ends before a larger gap than the neighbouring ones. Gaps are compared with each other because
 * LibreOffice writes fonts that are higher than their line distance.
 */
function hasGapBefore({ line, last, beforeLast, next }: LineContext): boolean {
  const isSentenceEnd = LATIN_SENTENCE_END.test(last.text) || CHINESE_SENTENCE_END.test(last.text);
  if (!isSentenceEnd) return false;
  const distances = [
    beforeLast && !differsInSize(beforeLast, last) ? last.top - beforeLast.top : 0,
    next && !differsInSize(next, line) ? next.top - line.top : 0,
  ].filter((distance) => distance > line.height * MIN_PITCH_HEIGHTS);
  return line.top - last.top > Math.min(...distances) * PARAGRAPH_GAP_FACTOR;
}

/** Whether a line starts a paragraph, by distance, size, indentation or the end of the last line. */
function startsParagraph(context: LineContext, { left, right, pitch }: PageMetrics): boolean {
  const { line, last } = context;
  const size = Math.max(line.height, last.height);
  const distance = (line.top - last.top) / size;
  if (distance > pitch || distance < 0 || differsInSize(line, last)) return true;
  const isListItem = LIST_MARKER.test(last.text);
  if (LIST_MARKER.test(line.text) || hasGapBefore(context)) return true;
  // Continuation lines of a list item are indented below its text.
  const isIndented = !isListItem && line.left - left > size && last.left - left <= size;
  return isIndented || endsParagraph(last, line, right);
}

/** Whether the last line ends early although the next word would fit. */
function endsParagraph(last: Line, line: Line, right: number): boolean {
  const size = Math.max(line.height, last.height);
  const freeWidth = right - last.right;
  if (CHINESE_SENTENCE_END.test(last.text) && freeWidth > size * 1.5) return true;
  const fits = wouldFit(line, last, right);
  if (!LATIN_SENTENCE_END.test(last.text)) return freeWidth > size * 3 && fits;
  const isSentenceStart = LATIN_SENTENCE_START.test(line.text);
  return freeWidth > size * 3 || (isSentenceStart && fits);
}

/** Width of a page in the units of `ReadingWord`. */
const PAGE_WIDTH = 10_000;
/** If all lines are shorter than this part of the text area, their ends are intended, as in a poem. */
const MIN_WRAPPED_WIDTH = 0.6;

function metricsOf(lines: Line[]): PageMetrics {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  const oppositeMargin = PAGE_WIDTH - left;
  const areShort = right - left < (oppositeMargin - left) * MIN_WRAPPED_WIDTH;
  return { left, right: areShort ? oppositeMargin : right, pitch: pitchOf(lines) };
}

export function paragraphsOf(page: ReadingWord[][]): string[] {
  const lines = page.flatMap((words) => lineOf(words) ?? []);
  const metrics = metricsOf(lines);
  const paragraphs: string[] = [];
  for (const [index, line] of lines.entries()) {
    const [beforeLast, last, next] = [lines[index - 2], lines[index - 1], lines[index + 1]];
    const before = paragraphs.at(-1);
    if (!last || before === undefined || startsParagraph({ line, last, beforeLast, next }, metrics))
      paragraphs.push(line.text);
    else {
      const space = isWide(before.at(-1)) || isWide(line.text[0]) ? '' : ' ';
      paragraphs[paragraphs.length - 1] = before + space + line.text;
    }
  }
  return paragraphs;
}

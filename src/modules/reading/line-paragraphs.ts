import type { ReadingWord } from './reading.contract.ts';

type Line = {
  text: string;
  left: number;
  right: number;
  top: number;
  height: number;
  firstWordWidth: number;
};
/** How the page is set: its text area, and the largest distance of lines of a paragraph in heights. */
type PageSetting = { left: number; right: number; pitch: number };

/** Lines further apart than this many heights never belong together, however wide the page is set. */
const MAX_PITCH_HEIGHTS = 3;
/** A page whose lines are set closely has this distance at most; see `pitchOf`. */
const CLOSE_PITCH_HEIGHTS = 1.9;
/** A distance larger than the usual one by this factor sets a paragraph apart. */
const APART_FACTOR = 1.25;

const LIST_MARKER =
  /^(?:[•●○■□◆◇▪▸➢✓*·–—-]\s*\S|\d{1,3}[.)]\s+\D|\d{1,3}[、．）]|[（(](?:\d{1,3}|[一二三四五六七八九十]{1,3})[)）]|[一二三四五六七八九十]{1,3}、|第[\d一二三四五六七八九十百]{1,5}[章节条])/;
const CHINESE_SENTENCE_END = /[。！？；：…”’」』）]$/;
const LATIN_SENTENCE_END = /[.!?:][)\]"'”’]*$/;
const LATIN_SENTENCE_START = /^["'“‘([]*\p{Lu}/u;

/** Chinese is set without spaces, so a line goes on where the last one ended. */
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

const isOtherSize = (one: Line, other: Line) =>
  Math.abs(one.height - other.height) > Math.max(one.height, other.height) * 0.3;

/** Distances that differ by less than this many heights count as equal. */
const PITCH_STEP = 0.05;
/** Parts of one line may lie closer to each other than this many heights. */
const MIN_PITCH_HEIGHTS = 0.4;

/** Above which distance lines are set apart: the most frequent one of lines of one size, and a little. */
function pitchOf(lines: Line[]): number {
  const counts = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const last = lines[index - 1];
    if (!last || isOtherSize(line, last)) continue;
    const pitch = (line.top - last.top) / Math.max(line.height, last.height);
    if (pitch < 0.8 || pitch > MAX_PITCH_HEIGHTS) continue;
    const step = Math.round(pitch / PITCH_STEP);
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const supportOf = (step: number) =>
    [step - 1, step, step + 1].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0);
  // The smaller one where two are as frequent.
  const [usual = 0] = [...counts.keys()]
    .sort((one, other) => one - other)
    .sort((one, other) => supportOf(other) - supportOf(one));
  return Math.max(CLOSE_PITCH_HEIGHTS, usual * PITCH_STEP * APART_FACTOR);
}

/** A line with its neighbours of the same page. */
type LinePlace = { line: Line; last: Line; beforeLast: Line | undefined; next: Line | undefined };

/** Width of a space, as a part of the height of its line. */
const SPACE_HEIGHTS = 0.25;

/** Whether the last line had room for the first word of this one; in Chinese a character always fits. */
const hadRoom = (line: Line, last: Line, right: number) =>
  isWide(line.text[0]) || right - last.right > line.firstWordWidth + Math.min(line.height, last.height) * SPACE_HEIGHTS;

/**
 * Whether a sentence ends before a distance that is larger than those around it. The height of a font
 * says little of the distance of its lines: LibreOffice writes fonts that are higher than their lines.
 */
function isSetApart({ line, last, beforeLast, next }: LinePlace): boolean {
  const isSentenceEnd = LATIN_SENTENCE_END.test(last.text) || CHINESE_SENTENCE_END.test(last.text);
  if (!isSentenceEnd) return false;
  const distances = [
    beforeLast && !isOtherSize(beforeLast, last) ? last.top - beforeLast.top : 0,
    next && !isOtherSize(next, line) ? next.top - line.top : 0,
  ].filter((distance) => distance > line.height * MIN_PITCH_HEIGHTS);
  return line.top - last.top > Math.min(...distances) * APART_FACTOR;
}

/** Whether a line begins a paragraph by its distance, its size, its indentation or the end of the last. */
function begins(place: LinePlace, { left, right, pitch }: PageSetting): boolean {
  const { line, last } = place;
  const size = Math.max(line.height, last.height);
  const distance = (line.top - last.top) / size;
  if (distance > pitch || distance < 0 || isOtherSize(line, last)) return true;
  const isListItem = LIST_MARKER.test(last.text);
  if (LIST_MARKER.test(line.text) || isSetApart(place)) return true;
  // The lines of a list item hang below its text.
  const isIndented = !isListItem && line.left - left > size && last.left - left <= size;
  return isIndented || endsParagraph(last, line, right);
}

/** Whether the last line ends before the right margin, although the paragraph could go on in it. */
function endsParagraph(last: Line, line: Line, right: number): boolean {
  const size = Math.max(line.height, last.height);
  const missing = right - last.right;
  if (CHINESE_SENTENCE_END.test(last.text) && missing > size * 1.5) return true;
  const isFitting = hadRoom(line, last, right);
  if (!LATIN_SENTENCE_END.test(last.text)) return missing > size * 3 && isFitting;
  const isSentenceStart = LATIN_SENTENCE_START.test(line.text);
  return missing > size * 3 || (isSentenceStart && isFitting);
}

/** Width of a page in the units of `ReadingWord`. */
const PAGE_WIDTH = 10_000;
/** Lines that all use less of the text area than this end by intention, as those of a poem do. */
const MIN_WRAPPED_WIDTH = 0.6;

function settingOf(lines: Line[]): PageSetting {
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  const oppositeMargin = PAGE_WIDTH - left;
  const areShort = right - left < (oppositeMargin - left) * MIN_WRAPPED_WIDTH;
  return { left, right: areShort ? oppositeMargin : right, pitch: pitchOf(lines) };
}

/** Groups the lines of a page into paragraphs by their positions, sizes and punctuation. */
export function paragraphsOf(page: ReadingWord[][]): string[] {
  const lines = page.flatMap((words) => lineOf(words) ?? []);
  const setting = settingOf(lines);
  const paragraphs: string[] = [];
  for (const [index, line] of lines.entries()) {
    const [beforeLast, last, next] = [lines[index - 2], lines[index - 1], lines[index + 1]];
    const before = paragraphs.at(-1);
    if (!last || before === undefined || begins({ line, last, beforeLast, next }, setting)) paragraphs.push(line.text);
    else {
      const space = isWide(before.at(-1)) || isWide(line.text[0]) ? '' : ' ';
      paragraphs[paragraphs.length - 1] = before + space + line.text;
    }
  }
  return paragraphs;
}

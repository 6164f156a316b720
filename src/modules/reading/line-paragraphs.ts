import type { ReadingWord } from './reading.contract.ts';

type Line = { text: string; left: number; right: number; top: number; height: number };
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

/** Chinese is set without spaces, so a line goes on where the last one ended. */
const isWide = (letter = '') =>
  /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/.test(letter);

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
  return { text, left, right, top, height };
}

const isOtherSize = (one: Line, other: Line) =>
  Math.abs(one.height - other.height) > Math.max(one.height, other.height) * 0.3;

/** Distances that differ by less than this many heights count as equal. */
const PITCH_STEP = 0.05;

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

/** Whether a line begins a paragraph by its distance, its size, its indentation or the end of the last. */
function begins(line: Line, last: Line, { left, right, pitch }: PageSetting): boolean {
  const size = Math.max(line.height, last.height);
  const distance = (line.top - last.top) / size;
  if (distance > pitch || distance < 0 || isOtherSize(line, last)) return true;
  const isListItem = LIST_MARKER.test(last.text);
  if (LIST_MARKER.test(line.text)) return true;
  // The lines of a list item hang below its text.
  const isIndented = !isListItem && line.left - left > size && last.left - left <= size;
  const missing = right - last.right;
  const isSentenceEnd = CHINESE_SENTENCE_END.test(last.text);
  return isIndented || missing > size * 3 || (isSentenceEnd && missing > size * 1.5);
}

/** The words of a page as paragraphs, told by how its lines are set. */
export function paragraphsOf(page: ReadingWord[][]): string[] {
  const lines = page.flatMap((words) => lineOf(words) ?? []);
  const setting = {
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
    pitch: pitchOf(lines),
  };
  const paragraphs: string[] = [];
  let last: Line | null = null;
  for (const line of lines) {
    const before = paragraphs.at(-1);
    if (!last || before === undefined || begins(line, last, setting)) paragraphs.push(line.text);
    else {
      const space = isWide(before.at(-1)) || isWide(line.text[0]) ? '' : ' ';
      paragraphs[paragraphs.length - 1] = before + space + line.text;
    }
    last = line;
  }
  return paragraphs;
}

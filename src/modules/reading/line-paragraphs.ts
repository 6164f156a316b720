import type { ReadingWord } from './reading.contract.ts';

type Line = { text: string; left: number; right: number; top: number; height: number };

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

/** Whether a line begins a paragraph: it is set apart, indented, of another size, or the last was not full. */
function begins(line: Line, last: Line, edges: { left: number; right: number }): boolean {
  const size = Math.max(line.height, last.height);
  const gap = line.top - (last.top + last.height);
  const isOtherSize = Math.abs(line.height - last.height) > size * 0.3;
  const isIndented = line.left - edges.left > size && last.left - edges.left <= size;
  const wasShort = edges.right - last.right > size * 3;
  return gap > size * 0.9 || gap < -size || isOtherSize || isIndented || wasShort;
}

/** The words of a page as paragraphs, told by how its lines are set. */
export function paragraphsOf(page: ReadingWord[][]): string[] {
  const lines = page.flatMap((words) => lineOf(words) ?? []);
  const edges = {
    left: Math.min(...lines.map(({ left }) => left)),
    right: Math.max(...lines.map(({ right }) => right)),
  };
  const paragraphs: string[] = [];
  let last: Line | null = null;
  for (const line of lines) {
    const before = paragraphs.at(-1);
    if (!last || before === undefined || begins(line, last, edges)) paragraphs.push(line.text);
    else {
      const space = isWide(before.at(-1)) || isWide(line.text[0]) ? '' : ' ';
      paragraphs[paragraphs.length - 1] = before + space + line.text;
    }
    last = line;
  }
  return paragraphs;
}

import { isWideCharacter } from '#modules/text/wide-characters.contract.ts';
import type { PdfPageSize } from '../pdf-page.ts';
import type { PdfWord } from '../pdf-writer/invisible-text.ts';
import type { DjvuExpression } from './djvu-expressions.ts';

/** In pixels from the bottom left corner. */
type ZoneBox = { left: number; bottom: number; right: number; top: number };
type DjvuWord = { text: string; box: ZoneBox };
type Zone = { type: string; box: ZoneBox; content: DjvuExpression[] };

/** The words of a page, from the expression (page left bottom right top …), for a page of this size in points. */
export function readDjvuWords(expression: DjvuExpression | undefined, size: PdfPageSize): PdfWord[] {
  const page = readZone(expression);
  if (!page || !(page.box.right > page.box.left) || !(page.box.top > page.box.bottom)) return [];
  const scaleX = size.width / (page.box.right - page.box.left);
  const scaleY = size.height / (page.box.top - page.box.bottom);
  return readLines(page).flatMap((line) =>
    line.map(({ text, box }, index) => ({
      text: `${text}${separatorBefore(text, line[index + 1])}`,
      x: (box.left - page.box.left) * scaleX,
      y: (page.box.top - box.top) * scaleY,
      width: (box.right - box.left) * scaleX,
      height: (box.top - box.bottom) * scaleY,
    })),
  );
}

/** Words of Chinese text follow each other without a space. */
function separatorBefore(text: string, next: DjvuWord | undefined): string {
  if (!next) return '\n';
  return isWideCharacter(text.slice(-1)) && isWideCharacter(next.text.slice(0, 1)) ? '' : ' ';
}

function readZone(expression: DjvuExpression | undefined): Zone | null {
  if (!Array.isArray(expression)) return null;
  const [type, left, bottom, right, top, ...content] = expression;
  if (typeof type !== 'string') return null;
  return { type, box: { left: Number(left), bottom: Number(bottom), right: Number(right), top: Number(top) }, content };
}

function readLines(page: Zone): DjvuWord[][] {
  const lines: DjvuWord[][] = [[]];
  const visit = (zone: Zone) => {
    const { type, box, content } = zone;
    const isWord = type === 'word' || type === 'char';
    if (!isWord) lines.push([]);
    const text = textOf(zone);
    if (isWord) lines.at(-1)?.push(...toWord(text, box));
    else if (text) lines.push(...splitIntoRows(text, box));
    else
      for (const child of content) {
        const childZone = readZone(child);
        if (childZone) visit(childZone);
      }
    if (!isWord) lines.push([]);
  };
  visit(page);
  return lines.filter((line) => line.length > 0);
}

/** The text of a zone, or of the characters of a word. */
function textOf({ type, content }: Zone): string {
  const [first] = content;
  if (first && typeof first === 'object' && 'text' in first) return first.text;
  if (type !== 'word') return '';
  return content
    .map(readZone)
    .map((character) => (character ? textOf(character) : ''))
    .join('');
}

const toWord = (text: string, box: ZoneBox): DjvuWord[] => {
  const trimmedText = text.replace(/\s+/g, ' ').trim();
  return trimmedText ? [{ text: trimmedText, box }] : [];
};

/** A zone without smaller zones: its rows have the same height. */
function splitIntoRows(text: string, { left, bottom, right, top }: ZoneBox): DjvuWord[][] {
  const rows = text.split('\n').filter((row) => row.trim() !== '');
  const height = (top - bottom) / Math.max(1, rows.length);
  return rows.map((row, index) =>
    toWord(row, { left, right, top: top - index * height, bottom: top - (index + 1) * height }),
  );
}

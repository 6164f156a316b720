import { displayWidth, isWrittenWithoutSpaces } from '#modules/text/wide-characters.contract.ts';
import type { Word } from '../events.ts';
import { createWordBuilder, UNITS_PER_PAGE_WIDTH } from '../word-builder.ts';

type TesseractWord = { text: string; left: number; top: number; width: number; height: number };
export type TesseractLine = { words: TesseractWord[]; characters: number; confidence: number };

/** Level of the rows of a word in the table that Tesseract writes. */
const WORD_LEVEL = '5';
/** Words with a larger gap, in heights, stand in different cells or columns. */
const MIN_CELL_GAP_RATIO = 1.5;

/** Reads the tab-separated table of Tesseract. Columns: level, page, block, paragraph, line, word, box, confidence, text. */
export function parseTesseractLines(table: string): TesseractLine[] {
  const lines = new Map<string, TesseractLine>();
  for (const row of table.split('\n')) {
    const [level, page, block, paragraph, line, , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level !== WORD_LEVEL || text.trim() === '') continue;
    const key = [page, block, paragraph, line].join();
    const entry = lines.get(key) ?? { words: [], characters: 0, confidence: 0 };
    const length = Array.from(text).length;
    entry.words.push({
      text: text.trim(),
      left: Number(left),
      top: Number(top),
      width: Number(width),
      height: Number(height),
    });
    entry.confidence =
      (entry.confidence * entry.characters + (Number(confidence) / 100) * length) / (entry.characters + length);
    entry.characters += length;
    lines.set(key, entry);
  }
  return [...lines.values()];
}

/** Joins what Tesseract calls words, often single Chinese characters, into words with boxes on the page. */
export function joinTesseractWords({ words }: TesseractLine, pageWidth: number): Word[] {
  const scale = UNITS_PER_PAGE_WIDTH / Math.max(1, pageWidth);
  const builder = createWordBuilder();
  words.forEach((word, index) => {
    const previous = words[index - 1];
    if (previous && isSpaceBetween(previous, word)) builder.space();
    const bottom = (word.top + word.height) * scale;
    const columns = displayWidth(word.text);
    let column = 0;
    for (const text of word.text) {
      const left = (word.left + (word.width * column) / columns) * scale;
      column += displayWidth(text);
      const right = (word.left + (word.width * column) / columns) * scale;
      builder.add({ text, box: { left, right, top: word.top * scale, bottom } });
    }
  });
  return builder.finishLines().flat();
}

function isSpaceBetween(before: TesseractWord, after: TesseractWord): boolean {
  const gap = after.left - (before.left + before.width);
  if (gap > MIN_CELL_GAP_RATIO * Math.max(before.height, after.height)) return true;
  const codes = [before.text.codePointAt(before.text.length - 1) ?? 0, after.text.codePointAt(0) ?? 0];
  return !codes.some(isWrittenWithoutSpaces);
}

import type { PageWords, Word } from '../events.ts';
import { createWordBuilder, UNITS_PER_PAGE_WIDTH } from '../word-builder.ts';
import { pointInQuad, type Quad, quadHeight, quadWidth } from './geometry.ts';
import type { RecognizedLine } from './recognize-line.ts';

/** Joins the characters of a row of lines into words with boxes on the page. */
export function buildRowWords(row: readonly RecognizedLine[], pageWidth: number): Word[] {
  return row.flatMap((line, index) => {
    const words = buildLineWords(line, pageWidth);
    // A space between lines that stand beside each other, such as the cells of a table.
    return index === row.length - 1
      ? words
      : words.map((word, at) => (at === words.length - 1 ? withSpace(word) : word));
  });
}

const withSpace = ([text, ...box]: Word): Word => [`${text.trimEnd()} `, ...box];

/** Words are built along the line, so that lines of any direction have words of several characters. */
function buildLineWords({ quad, spans }: RecognizedLine, pageWidth: number): Word[] {
  const unitsPerPixel = UNITS_PER_PAGE_WIDTH / Math.max(1, pageWidth);
  const [length, height] = [quadWidth(quad) * unitsPerPixel, quadHeight(quad) * unitsPerPixel];
  const builder = createWordBuilder();
  for (const { text, left, right } of spans) {
    if (text.trim() === '') builder.space();
    else builder.add({ text, box: { left: left * length, right: right * length, top: 0, bottom: height } });
  }
  const lines: PageWords = builder.finishLines();
  return lines.flat().map((word) => placeWord(word, quad, { length, height, unitsPerPixel }));
}

function placeWord(
  [text, x, y, width, height]: Word,
  quad: Quad,
  line: { length: number; height: number; unitsPerPixel: number },
): Word {
  const corners = [x, x + width].flatMap((across) =>
    [y, y + height].map((down) => pointInQuad(quad, across / line.length, down / line.height)),
  );
  const toUnits = (values: number[], combine: (...values: number[]) => number) =>
    Math.round(combine(...values) * line.unitsPerPixel);
  const xs = corners.map((corner) => corner.x);
  const ys = corners.map((corner) => corner.y);
  const [left, top] = [toUnits(xs, Math.min), toUnits(ys, Math.min)];
  return [text, left, top, toUnits(xs, Math.max) - left, toUnits(ys, Math.max) - top];
}

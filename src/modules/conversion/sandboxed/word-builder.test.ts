import { expect, test } from 'vitest';
import { createWordBuilder } from './word-builder.ts';

/** Characters of 100 units that are higher than the distance of their rows, as in files from LibreOffice. */
const boxAt = (left: number, row: number) => ({ left, top: row * 200, right: left + 100, bottom: row * 200 + 230 });

/** Builds the lines of rows of text; `-` at the end of a row is a hyphen as the PDF engine reports it. */
function buildLines(rows: { text: string; row: number; left?: number }[]): string[] {
  const wordBuilder = createWordBuilder();
  for (const { text, row, left = 0 } of rows)
    for (const [index, character] of [...text].entries()) {
      const box = boxAt(left + index * 100, row);
      if (character === ' ') wordBuilder.space();
      else if (character === '-' && index === text.length - 1) wordBuilder.addRowEndHyphen(box);
      else wordBuilder.add({ text: character, box });
    }
  return wordBuilder.finishLines().map((line) => line.map(([text]) => text).join(''));
}

test('the rows of a hyphenated word become one line without the hyphen, in their order', () => {
  const rows = [
    { text: 'the same inter-', row: 0 },
    { text: 'national law', row: 1 },
  ];
  expect(buildLines(rows)).toEqual(['the same international law']);
});

test('a hyphen stays, and a line begins, before a number, a capital and a distant row', () => {
  const lineWithHyphen = { text: 'the same model-', row: 0 };
  for (const next of [
    { text: '12', row: 1 },
    { text: 'III', row: 1 },
    { text: 'appendix', row: 8 },
  ])
    expect(buildLines([lineWithHyphen, next])).toEqual(['the same model-', next.text]);
});

test('a hyphen at the end of a page stays', () => {
  expect(buildLines([{ text: 'model-', row: 0 }])).toEqual(['model-']);
});

test('a hyphenated word continues at the top of the next column, and not in a row above in the same column', () => {
  const lineWithHyphen = { text: 'the same inter-', row: 30 };
  expect(buildLines([lineWithHyphen, { text: 'national law', row: 0, left: 5_000 }])).toEqual([
    'the same international law',
  ]);
  for (const next of [
    { text: 'running head', row: 0 },
    { text: 'National law', row: 0, left: 5_000 },
  ])
    expect(buildLines([lineWithHyphen, next])).toEqual(['the same inter-', next.text]);
});

import { expect, test } from 'vitest';
import { createWordBuilder } from './word-builder.ts';

/** Characters of 100 units that are higher than the distance of their rows, as in files from LibreOffice. */
const boxAt = (left: number, row: number) => ({ left, top: row * 200, right: left + 100, bottom: row * 200 + 230 });

/** Builds the lines of rows of text; `-` at the end of a row is a hyphen as the PDF engine reports it. */
function buildLines(rows: { text: string; row: number }[]): string[] {
  const word = createWordBuilder();
  for (const { text, row } of rows)
    for (const [index, character] of [...text].entries()) {
      const box = boxAt(index * 100, row);
      if (character === ' ') word.space();
      else if (character === '-' && index === text.length - 1) word.hyphenAtRowEnd(box);
      else word.add({ text: character, box });
    }
  return word.finishLines().map((line) => line.map(([text]) => text).join(''));
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

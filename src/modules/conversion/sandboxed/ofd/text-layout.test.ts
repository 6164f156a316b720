import { expect, test } from 'vitest';
import { parseDeltas } from './text-code.ts';
import { placeCharacters } from './text-layout.ts';
import { parseXmlTree } from './xml-tree.ts';

const place = (attributes: string, content: string) => {
  const object = parseXmlTree(Buffer.from(`<TextObject ${attributes}>${content}</TextObject>`));
  if (!object) throw new Error('no object');
  return placeCharacters(object, () => 2);
};
const origins = (attributes: string, content: string) =>
  place(attributes, content).map(({ text, x, y }) => [text, x, y]);

test.each([
  ['1 2.5 3', [1, 2.5, 3]],
  ['g 3 1.5', [1.5, 1.5, 1.5]],
  ['g 2 3.175 1 g 1 2', [3.175, 3.175, 1, 2]],
  ['g -1 5 4', [4]],
  ['g', []],
  ['', null],
])('parseDeltas reads "%s"', (text, deltas) => {
  expect(parseDeltas(text)).toEqual(deltas);
});

test('parseDeltas repeats an offset no more often than there are characters', () => {
  expect(parseDeltas('g 999999999 1', 5)).toEqual([1, 1, 1, 1, 1]);
});

test('characters are placed by their offsets in both directions', () => {
  const text = '<TextCode X="1" Y="5" DeltaX="2 -2" DeltaY="0 6">甲乙丙</TextCode>';
  expect(origins('', text)).toEqual([
    ['甲', 1, 5],
    ['乙', 3, 5],
    ['丙', 1, 11],
  ]);
});

test('the last offset applies to all further characters', () => {
  expect(origins('', '<TextCode X="0" Y="0" DeltaX="3">abcd</TextCode>').map(([, x]) => x)).toEqual([0, 3, 6, 9]);
});

test('a text without a position continues at the position of the one before', () => {
  expect(origins('', '<TextCode X="4" Y="7">甲</TextCode><TextCode Y="9">乙</TextCode>')).toEqual([
    ['甲', 4, 7],
    ['乙', 4, 9],
  ]);
});

test('characters without offsets follow each other in the reading direction', () => {
  const text = '<TextCode X="0" Y="0">ab</TextCode>';
  expect(origins('', text)[1]).toEqual(['b', 2, 0]);
  expect(origins('ReadDirection="90"', text)[1]).toEqual(['b', 0, 2]);
});

test('line breaks of the file are not characters, spaces and rare characters are', () => {
  expect(origins('', '<TextCode X="0" Y="0" DeltaX="1">\n 𠮷x\n</TextCode>').map(([text]) => text)).toEqual([
    ' ',
    '𠮷',
    'x',
  ]);
});

test('glyphs are assigned to the characters of their range', () => {
  const transform = '<CGTransform CodePosition="1" CodeCount="2" GlyphCount="1"><Glyphs>77</Glyphs></CGTransform>';
  const glyphs = place('', `${transform}<TextCode X="0" Y="0" DeltaX="1">afib</TextCode>`).map(({ glyph }) => glyph);
  expect(glyphs).toEqual([undefined, 77, null, undefined]);
});

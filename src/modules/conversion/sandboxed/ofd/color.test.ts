import { expect, test } from 'vitest';
import { colorOperator, readColor, rgbOf } from './color.ts';
import { parseXmlTree, type XmlElement } from './xml-tree.ts';

const element = (xml: string): XmlElement => {
  const root = parseXmlTree(Buffer.from(xml));
  if (!root) throw new Error('no element');
  return root;
};
const colorSpaces = new Map([
  ['1', element('<ColorSpace Type="GRAY"/>')],
  ['2', element('<ColorSpace Type="CMYK"/>')],
  ['3', element('<ColorSpace Type="RGB" BitsPerComponent="4"/>')],
  ['4', element('<ColorSpace Type="RGB"><Palette><CV>0 0 0</CV><CV>#ff #00 #80</CV></Palette></ColorSpace>')],
]);
const read = (attributes: string) => readColor(element(`<FillColor ${attributes}/>`), { colorSpaces });

test.each([
  ['Value="255 0 51"', [1, 0, 0.2], 1],
  ['Value="255 0 51" Alpha="51"', [1, 0, 0.2], 0.2],
  ['Value="#ff #0 #33"', [1, 0, 0.2], 1],
  ['Value="51" ColorSpace="1"', [0.2], 1],
  ['Value="51"', [0.2], 1],
  ['Value="0 255 0 51" ColorSpace="2"', [0, 1, 0, 0.2], 1],
  ['Value="15 0 3" ColorSpace="3"', [1, 0, 0.2], 1],
  ['Value="999 -5 nonsense"', [1, 0, 0], 1],
  ['Value="255"  ColorSpace="99"', [1], 1],
])('readColor reads %s', (attributes, components, alpha) => {
  expect(read(attributes)).toEqual({ components, alpha });
});

test('readColor finds a color of a palette, and none without a value', () => {
  expect(read('Index="1" ColorSpace="4"')?.components.map((value) => value.toFixed(2))).toEqual([
    '1.00',
    '0.00',
    '0.50',
  ]);
  expect(read('Index="7" ColorSpace="4"')).toBeNull();
  expect(read('')).toBeNull();
});

test('colorOperator uses the operator of the color space and of the use', () => {
  expect(colorOperator({ components: [0.5], alpha: 1 }, 'fill')).toBe('0.5 g');
  expect(colorOperator({ components: [1, 0, 0], alpha: 1 }, 'stroke')).toBe('1 0 0 RG');
  expect(colorOperator({ components: [0, 0, 0, 1], alpha: 1 }, 'fill')).toBe('0 0 0 1 k');
});

test('rgbOf converts gray and CMYK', () => {
  expect(rgbOf({ components: [0.5], alpha: 1 })).toEqual([0.5, 0.5, 0.5]);
  expect(rgbOf({ components: [0, 1, 0, 0.5], alpha: 1 })).toEqual([0.5, 0, 0.5]);
});

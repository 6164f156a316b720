import { expect, test } from 'vitest';
import { textCoverSvg } from './flow-cover.ts';

test('the cover of a text draws Latin lines with a Latin font and Chinese lines with a Chinese one', () => {
  const svg = textCoverSvg('', '“Wait,” he said.\n他说：“等一等。”');
  const fonts = [...svg.matchAll(/font-family="([^",]*)/g)].map(([, font]) => font);
  expect(fonts).toEqual(['Liberation Serif', 'Noto Serif CJK SC']);
});

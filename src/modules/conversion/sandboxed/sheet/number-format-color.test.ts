import { expect, test } from 'vitest';
import { numberFormatColor } from './number-format-color.ts';

test.each([
  ['0.00;[Red]-0.00', -1, 'ff0000'],
  ['0.00;[Red]-0.00', 1, undefined],
  ['[Blue]0;[红色]0;[Green]"零"', 0, '00ff00'],
  ['[Blue]0', -2, '0000ff'],
  ['[Red][<60]0;[Blue][>=90]0;0', 59, 'ff0000'],
  ['[Red][<60]0;[Blue][>=90]0;0', 95, '0000ff'],
  ['[Red][<60]0;[Blue][>=90]0;0', 70, undefined],
  ['[Color10]0', 1, '008000'],
  ['0;0;0;[Magenta]@', '文字', 'ff00ff'],
  ['"[Red]"0', 1, undefined],
  ['General', 1, undefined],
  [undefined, 1, undefined],
])('the number format %s gives %s the colour %s', (code, value, color) => {
  expect(numberFormatColor(code, value)).toBe(color);
});

import { expect, test } from 'vitest';
import {
  combine,
  parseBox,
  parseMatrix,
  parseNumbers,
  scaling,
  transformBox,
  transformPoint,
  translation,
} from './geometry.ts';

test('combine applies matrices from left to right', () => {
  const matrix = combine(scaling(2, 3), translation(10, 20));
  expect(transformPoint(matrix, { x: 1, y: 1 })).toEqual({ x: 12, y: 23 });
  expect(transformPoint(combine(translation(10, 20), scaling(2, 3)), { x: 1, y: 1 })).toEqual({ x: 22, y: 63 });
});

test('a CTM rotates clockwise where y points down', () => {
  const rotation = parseMatrix('0 1 -1 0 5 0');
  expect(rotation && transformPoint(rotation, { x: 1, y: 0 })).toEqual({ x: 5, y: 1 });
  expect(rotation && transformBox(rotation, { x: 0, y: 0, width: 4, height: 2 })).toEqual({
    x: 3,
    y: 0,
    width: 2,
    height: 4,
  });
});

test('parseMatrix and parseBox return null for missing or incomplete values', () => {
  expect([parseMatrix(undefined), parseMatrix('1 0 0'), parseBox(''), parseBox('0 0 5')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(parseBox(' 1  2,3 4 ')).toEqual({ x: 1, y: 2, width: 3, height: 4 });
});

test('parseNumbers limits huge numbers and reads anything else as 0', () => {
  expect(parseNumbers('1e99 -1e999 NaN x 2.5')).toEqual([1_000_000, -1_000_000, 0, 0, 2.5]);
});

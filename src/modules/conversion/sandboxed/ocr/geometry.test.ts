import { expect, test } from 'vitest';
import {
  cornersOf,
  minAreaRectangle,
  type Point,
  pointInQuad,
  quadHeight,
  quadWidth,
  rotateCorners,
} from './geometry.ts';

const rotatePoint = ({ x, y }: Point, angle: number): Point => ({
  x: x * Math.cos(angle) - y * Math.sin(angle),
  y: x * Math.sin(angle) + y * Math.cos(angle),
});

test.each([0, 2, -5, 30])(
  'the smallest rectangle of points rotated by %d degrees has their size and angle',
  (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const points = [0, 100].flatMap((x) => [0, 10, 20].map((y) => rotatePoint({ x, y }, angle)));
    const rectangle = minAreaRectangle(points);
    expect(rectangle.width).toBeCloseTo(100);
    expect(rectangle.height).toBeCloseTo(20);
    expect(rectangle.angle).toBeCloseTo(angle);
  },
);

test('the smallest rectangle of points on one line has no height', () => {
  const rectangle = minAreaRectangle([0, 5, 10].map((x) => ({ x, y: 3 })));
  expect([rectangle.width, rectangle.height]).toEqual([10, 0]);
});

test('corners that start a quarter later swap width and height, and start at the top right', () => {
  const quad = cornersOf({ center: { x: 50, y: 20 }, width: 100, height: 40, angle: 0 });
  const rotatedQuad = rotateCorners(quad, 1);
  expect([quadWidth(quad), quadHeight(quad)]).toEqual([100, 40]);
  expect([quadWidth(rotatedQuad), quadHeight(rotatedQuad)]).toEqual([40, 100]);
  expect(rotatedQuad[0]).toEqual({ x: 100, y: 0 });
  expect(pointInQuad(quad, 0.5, 1)).toEqual({ x: 50, y: 40 });
});

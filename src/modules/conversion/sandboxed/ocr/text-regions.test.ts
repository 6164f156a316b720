import { expect, test } from 'vitest';
import { quadHeight, quadWidth } from './geometry.ts';
import { findTextRegions } from './text-regions.ts';

/** A map in which rectangles of pixels have a probability. */
function mapWith(...rectangles: { x: number; y: number; width: number; height: number; probability: number }[]) {
  const [width, height] = [200, 100];
  const probabilities = new Float32Array(width * height);
  for (const rectangle of rectangles)
    for (let y = rectangle.y; y < rectangle.y + rectangle.height; y++)
      for (let x = rectangle.x; x < rectangle.x + rectangle.width; x++)
        probabilities[y * width + x] = rectangle.probability;
  return { width, height, probabilities };
}

test('the core of a line yields one region that is larger on each side', () => {
  const regions = findTextRegions(mapWith({ x: 40, y: 40, width: 100, height: 10, probability: 0.9 }));
  expect(regions).toHaveLength(1);
  const [region] = regions;
  if (!region) throw new Error('no region');
  expect(quadHeight(region)).toBeCloseTo(10 + (100 * 10 * 1.6) / 110);
  expect(quadWidth(region)).toBeCloseTo(100 + (100 * 10 * 1.6) / 110);
  expect((region[0].x + region[2].x) / 2).toBeCloseTo(90);
});

test('uncertain and tiny cores yield no region', () => {
  const regions = findTextRegions(
    mapWith(
      { x: 10, y: 10, width: 100, height: 10, probability: 0.4 },
      { x: 10, y: 60, width: 2, height: 2, probability: 0.9 },
    ),
  );
  expect(regions).toEqual([]);
});

test('cores that do not touch yield separate regions', () => {
  const core = { width: 60, height: 8, probability: 0.9 };
  expect(
    findTextRegions(mapWith({ ...core, x: 5, y: 20 }, { ...core, x: 80, y: 20 }, { ...core, x: 5, y: 60 })),
  ).toHaveLength(3);
});

test('lines are dropped beyond the total length that is recognized on a page', () => {
  const [width, height] = [2_000, 500];
  const probabilities = new Float32Array(width * height);
  for (let y = 0; y < height; y++) if (y % 5 < 4) for (let x = 0; x < width; x++) probabilities[y * width + x] = 0.9;
  const regions = findTextRegions({ width, height, probabilities });
  expect(regions.length).toBeGreaterThan(10);
  expect(regions.length).toBeLessThan(100);
});

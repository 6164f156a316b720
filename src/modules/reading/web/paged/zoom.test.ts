import { expect, test } from 'vitest';
import { clampZoom, zoomStep } from './zoom.ts';

test('zoomStep returns the next zoom step in the given direction', () => {
  expect([zoomStep(42, 1), zoomStep(42, -1), zoomStep(400, 1), zoomStep(10, -1)]).toEqual([50, 33, 400, 10]);
});

test('clampZoom returns whole percents between the lowest and the highest zoom', () => {
  expect([clampZoom(3), clampZoom(99.6), clampZoom(1_000)]).toEqual([10, 100, 400]);
});

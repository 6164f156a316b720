import { expect, test } from 'vitest';
import { makeGeometry, pageTop } from './viewport-geometry.fixture.ts';
import { clientYOf, positionAt } from './viewport-geometry.ts';

test('positionAt returns the page at a height of the window and the share of the page above it', () => {
  const geometry = makeGeometry({ top: 100 - pageTop(5) });
  expect(positionAt(geometry, 100)).toEqual({ page: 5, offset: 0 });
  expect(positionAt(geometry, 350)).toEqual({ page: 5, offset: 0.25 });
});

test('positionAt returns a negative offset above the first page and more than 1 below the last page', () => {
  const geometry = makeGeometry({ top: 0 });
  expect(positionAt(geometry, -984)).toEqual({ page: 1, offset: -1 });
  expect(positionAt(geometry, pageTop(20) + 1500)).toEqual({ page: 20, offset: 1.5 });
});

test('clientYOf returns the height at which positionAt returns the position', () => {
  const geometry = makeGeometry({ top: -3_000, pageWidth: 640 });
  for (const position of [
    { page: 1, offset: 0 },
    { page: 7, offset: 0.5 },
  ]) {
    const { page, offset } = positionAt(geometry, clientYOf(geometry, position));
    expect(page).toBe(position.page);
    expect(offset).toBeCloseTo(position.offset, 9);
  }
});

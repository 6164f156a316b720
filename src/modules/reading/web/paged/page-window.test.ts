import { describe, expect, test } from 'vitest';
import { initialPageRanges, nextPageRanges, type ScrollSpeed, scrollSpeed } from './page-window.ts';
import { makeGeometry, pageTop } from './viewport-geometry.fixture.ts';

describe('scrollSpeed in a window 1000 pixels high', () => {
  test.each<[string, number, number, ScrollSpeed]>([
    ['no movement', 0, 0.016, 'slow'],
    ['60 pixels in a frame', 60, 0.016, 'slow'],
    ['200 pixels in a frame', 200, 0.016, 'medium'],
    ['900 pixels in a frame', 900, 0.016, 'fast'],
    ['a jump of 9000 pixels after two seconds', 9_000, 2, 'slow'],
  ])('is for %s (%i pixels, %f s) %s', (_, scrolledPx, seconds, speed) => {
    expect(scrollSpeed(scrolledPx, seconds, 1_000)).toBe(speed);
  });
});

describe('nextPageRanges', () => {
  const previous = initialPageRanges({ first: 1, last: 2 });
  const geometry = makeGeometry({ top: -pageTop(10) });
  const renderedPages = { first: 8, last: 12 };
  const nearPages = { first: 9, last: 11 };
  const initialRange = { first: 1, last: 2 };

  test.each<[ScrollSpeed, object]>([
    ['still', { rendered: renderedPages, withImages: renderedPages, near: nearPages, current: nearPages }],
    ['slow', { rendered: renderedPages, withImages: renderedPages, near: nearPages, current: null }],
    ['medium', { rendered: renderedPages, withImages: renderedPages, near: initialRange, current: null }],
    ['fast', { rendered: renderedPages, withImages: initialRange, near: initialRange, current: null }],
  ])('loads at speed %s only images that stay visible long enough', (speed, ranges) => {
    expect(nextPageRanges(previous, geometry, speed)).toEqual(ranges);
  });

  test('keeps the current pages while the window scrolls', () => {
    const ranges = nextPageRanges(previous, geometry, 'still');
    const rangesAfterScroll = nextPageRanges(ranges, makeGeometry({ top: -pageTop(15) }), 'slow');
    expect(rangesAfterScroll.rendered).toEqual({ first: 13, last: 17 });
    expect(rangesAfterScroll.current).toBe(ranges.current);
  });

  test('returns the same object if no range changes', () => {
    const ranges = nextPageRanges(previous, geometry, 'still');
    expect(nextPageRanges(ranges, makeGeometry({ top: -pageTop(10) - 4 }), 'still')).toBe(ranges);
  });

  test('ends at the first and the last page', () => {
    expect(nextPageRanges(previous, makeGeometry(), 'slow').rendered.first).toBe(1);
    expect(nextPageRanges(previous, makeGeometry({ top: -pageTop(20) }), 'slow').rendered.last).toBe(20);
  });
});

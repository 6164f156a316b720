import { expect, test } from 'vitest';
import { clampZoom, FULL_WIDTH_PX, pageWidthCss, zoomPercent, zoomStep } from './zoom.ts';

test('zoomStep returns the next zoom step in the given direction', () => {
  expect([zoomStep(42, 1), zoomStep(42, -1), zoomStep(400, 1), zoomStep(10, -1)]).toEqual([50, 33, 400, 10]);
});

test('clampZoom returns whole percents between the lowest and the highest zoom', () => {
  expect([clampZoom(3), clampZoom(99.6), clampZoom(1_000)]).toEqual([10, 100, 400]);
});

test('zoomPercent is 100 at the full page width', () => {
  expect([zoomPercent(FULL_WIDTH_PX), zoomPercent(FULL_WIDTH_PX / 3)]).toEqual([100, 33]);
});

test('pageWidthCss limits the automatic zoom to the full width and fits the whole page into the window', () => {
  expect(pageWidthCss('auto', false, 1.4)).toBe('min((100cqw - 2 * var(--pad)), 880px)');
  expect(pageWidthCss('width', true, 1.4)).toBe('calc(((100cqw - 2 * var(--pad) - 16px) / 2))');
  expect(pageWidthCss('page', false, 1.4)).toContain('/ 1.4)');
  expect(pageWidthCss(50, false, 1.4)).toBe('440px');
});

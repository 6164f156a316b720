import { expect, test } from 'vitest';
import { currentPage, reportedPosition } from './reading-report.ts';
import { makeGeometry, pageTop } from './viewport-geometry.fixture.ts';

test('currentPage is the page at 40 percent of the window height', () => {
  expect(currentPage(makeGeometry({ top: 400 - pageTop(6) }))).toBe(6);
  expect(currentPage(makeGeometry({ top: 401 - pageTop(6) }))).toBe(5);
});

test('reportedPosition is the page and offset at the reading line', () => {
  expect(reportedPosition(makeGeometry({ top: -pageTop(6) }))).toEqual({ page: 6, offset: 0.4 });
});

test('reportedPosition is the end of the last page once that end is visible', () => {
  const endTop = 1000 - (pageTop(20) + 1000);
  expect(reportedPosition(makeGeometry({ top: endTop }))).toEqual({ page: 20, offset: 1 });
  expect(reportedPosition(makeGeometry({ top: endTop + 10 })).page).toBe(20);
  expect(reportedPosition(makeGeometry({ top: endTop + 10 })).offset).toBeLessThan(1);
});

test('reportedPosition is the end of a document that fits the window', () => {
  expect(reportedPosition(makeGeometry({ height: 316 }))).toEqual({ page: 20, offset: 1 });
});

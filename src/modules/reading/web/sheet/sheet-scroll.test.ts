import { describe, expect, test } from 'vitest';
import { scrollOffsetsFor, sheetPositionAt } from './sheet-scroll.ts';

describe('sheetPositionAt', () => {
  const sheet = { page: 4, lastPage: 9 };

  test('returns the page and the share of its rows above the visible part', () => {
    const scroll = { scrollTop: 250 * 32, clientHeight: 640, scrollHeight: 600 * 32 };
    expect(sheetPositionAt(sheet, scroll)).toEqual({ page: 6, offset: 0.5 });
  });

  test('returns the end of the last page when the last row is visible', () => {
    const scroll = { scrollTop: 600 * 32 - 640, clientHeight: 640, scrollHeight: 600 * 32 };
    expect(sheetPositionAt(sheet, scroll)).toEqual({ page: 9, offset: 1 });
  });
});

describe('scrollOffsetsFor', () => {
  const widths = [100, 100, 100, 100];
  const sheetWindow = { scrollTop: 3_200, scrollLeft: 0, width: 300, height: 640, frozen: { rows: 1, columns: 0 } };

  test('shows a requested cell with one row above it', () => {
    expect(scrollOffsetsFor({ row: 500, column: 0 }, widths, sheetWindow, false).top).toBe(498 * 32);
    expect(scrollOffsetsFor({ row: 1, column: 0 }, widths, sheetWindow, false).top).toBe(0);
  });

  test('does not scroll for a step to a visible cell', () => {
    expect(scrollOffsetsFor({ row: 105, column: 0 }, widths, sheetWindow, true)).toEqual({ top: 3_200, left: 0 });
  });

  test('scrolls for a step below or above the visible rows only as far as needed', () => {
    expect(scrollOffsetsFor({ row: 119, column: 0 }, widths, sheetWindow, true).top).toBe(121 * 32 - 640);
    expect(scrollOffsetsFor({ row: 100, column: 0 }, widths, sheetWindow, true).top).toBe(99 * 32);
  });

  test('scrolls sideways until the row numbers do not cover the cell', () => {
    expect(scrollOffsetsFor({ row: 105, column: 3 }, widths, sheetWindow, true).left).toBe(400 + 52 - 300);
    expect(scrollOffsetsFor({ row: 105, column: 0 }, widths, { ...sheetWindow, scrollLeft: 152 }, true).left).toBe(0);
  });

  test('shows a requested cell beside frozen rows and columns, and does not scroll for a frozen one', () => {
    const frozenWindow = { ...sheetWindow, scrollLeft: 150, frozen: { rows: 3, columns: 1 } };
    expect(scrollOffsetsFor({ row: 500, column: 1 }, widths, frozenWindow, false)).toEqual({ top: 496 * 32, left: 0 });
    expect(scrollOffsetsFor({ row: 2, column: 0 }, widths, frozenWindow, true)).toEqual({ top: 3_200, left: 150 });
  });
});

import { describe, expect, test } from 'vitest';
import type { InheritableWatermarkMode } from '#modules/settings/watermark-mode.contract.ts';
import { findModeOfCategories } from './find-watermark-mode.ts';

const row = (id: number, parent_id: number, watermark: InheritableWatermarkMode = 'inherit') => ({
  id,
  parent_id,
  watermark,
});

describe('the watermark mode of the categories of a document', () => {
  test('is that of the deepest category with a mode', () => {
    expect(findModeOfCategories([row(1, 0, 'drawn'), row(2, 1, 'off'), row(3, 2)])).toBe('off');
  });

  test('does not depend on the order in which the categories were created', () => {
    expect(findModeOfCategories([row(1, 3, 'off'), row(3, 0, 'drawn')])).toBe('off');
  });

  test('is the strictest one of several branches, independent of their depth', () => {
    expect(findModeOfCategories([row(1, 0, 'drawn'), row(5, 0), row(6, 5, 'off'), row(7, 0, 'overlay')])).toBe('drawn');
  });

  test('is null when all categories inherit', () => {
    expect(findModeOfCategories([row(1, 0), row(2, 1)])).toBeNull();
  });
});

import type { PageRange } from '../paged/use-page-data.ts';

/** Sections per step, and the maximum that stays in the page. */
const SECTIONS_PER_STEP = 5;
const MAX_SECTIONS = 12 * SECTIONS_PER_STEP;

const firstSectionOfStep = (page: number) => Math.floor((page - 1) / SECTIONS_PER_STEP) * SECTIONS_PER_STEP + 1;

export const sectionRangeAt = (page: number, readableCount: number): PageRange => ({
  first: firstSectionOfStep(page),
  last: Math.min(readableCount, firstSectionOfStep(page) + SECTIONS_PER_STEP - 1),
});

/** Adds sections at one end and drops distant ones at the other. */
export function extendRange(range: PageRange, direction: 1 | -1, readableCount: number): PageRange {
  if (direction > 0) {
    const last = Math.min(readableCount, range.last + SECTIONS_PER_STEP);
    return { first: Math.max(range.first, firstSectionOfStep(last) - MAX_SECTIONS + SECTIONS_PER_STEP), last };
  }
  const first = Math.max(1, range.first - SECTIONS_PER_STEP);
  return { first, last: Math.min(range.last, first + MAX_SECTIONS - 1) };
}

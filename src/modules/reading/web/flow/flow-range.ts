import type { PageRange } from '../paged/use-page-data.ts';

/** Sections come five at a time; so many of these stay at most. */
const STEP = 5;
const MOST = 12 * STEP;

const firstOf = (page: number) => Math.floor((page - 1) / STEP) * STEP + 1;

/** The sections around a page. */
export const rangeAt = (page: number, readable: number): PageRange => ({
  first: firstOf(page),
  last: Math.min(readable, firstOf(page) + STEP - 1),
});

/** More at one end; what has become far away at the other goes. */
export function grow(range: PageRange, direction: 1 | -1, readable: number): PageRange {
  if (direction > 0) {
    const last = Math.min(readable, range.last + STEP);
    return { first: Math.max(range.first, firstOf(last) - MOST + STEP), last };
  }
  const first = Math.max(1, range.first - STEP);
  return { first, last: Math.min(range.last, first + MOST - 1) };
}

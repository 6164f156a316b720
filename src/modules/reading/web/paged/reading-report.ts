import type { ReadingPosition } from '../reader-store.ts';
import { VIEWPORT_PADDING } from './page-layout.ts';
import { positionAt, readingLineY, type ViewportGeometry } from './viewport-geometry.ts';

export const currentPage = (geometry: ViewportGeometry): number => positionAt(geometry, readingLineY(geometry)).page;

/** The position to store. The last page counts as read once its end is visible. */
export function reportedPosition(geometry: ViewportGeometry): ReadingPosition {
  const { layout, top, height, windowHeight } = geometry;
  const isEndVisible = top + height - VIEWPORT_PADDING <= windowHeight + 1;
  return isEndVisible ? { page: layout.pages, offset: 1 } : positionAt(geometry, readingLineY(geometry));
}

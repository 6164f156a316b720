import type { ReadingPosition } from '../reader-store.ts';
import { type PageLayout, rowTopPixels } from './page-layout.ts';

/** Measured position of the page column, in pixels. */
export type ViewportGeometry = {
  layout: PageLayout;
  windowHeight: number;
  /** Box of the viewport in the window. */
  top: number;
  left: number;
  width: number;
  height: number;
  pageWidth: number;
  scrollLeft: number;
  scrollWidth: number;
};

/** The page at this share of the window height is the current one. */
const READING_LINE_SHARE = 0.4;

export const readingLineY = ({ windowHeight }: Pick<ViewportGeometry, 'windowHeight'>): number =>
  READING_LINE_SHARE * windowHeight;

/** `ruler` is an element as wide as a page. Null while the pages have no layout. */
export function measureViewport(
  layout: PageLayout,
  viewport: HTMLElement | null,
  ruler: HTMLElement | null,
): ViewportGeometry | null {
  const pageWidth = ruler?.getBoundingClientRect().width ?? 0;
  if (!viewport || pageWidth === 0) return null;
  const { top, left, width, height } = viewport.getBoundingClientRect();
  const { scrollLeft, scrollWidth } = viewport;
  return { layout, windowHeight: window.innerHeight, top, left, width, height, pageWidth, scrollLeft, scrollWidth };
}

/** The first page of the row at a height of the window; above and below it the offset is outside 0 to 1. */
export function positionAt({ layout, top, pageWidth }: ViewportGeometry, clientY: number): ReadingPosition {
  const row = layout.rowAt(clientY - top, pageWidth);
  const page = layout.pagesOf(row)[0] ?? 1;
  const distance = clientY - top - rowTopPixels(layout, row, pageWidth);
  return { page, offset: distance / (layout.ratioOf(page) * pageWidth) };
}

/** The height of the window at which a position is displayed. */
export function clientYOf({ layout, top, pageWidth }: ViewportGeometry, { page, offset }: ReadingPosition): number {
  return top + rowTopPixels(layout, layout.rowOf(page), pageWidth) + offset * layout.ratioOf(page) * pageWidth;
}

import type { ReadingPosition } from '../reader-store.ts';
import { clientYOf, positionAt, readingLineY, type ViewportGeometry } from './viewport-geometry.ts';
import type { Zoom } from './zoom.ts';

/** A point of the document and the point of the window at which it is displayed. */
export type ScrollAnchor = ReadingPosition & {
  /** Distance from the column center, in page widths. */
  across: number;
  clientX: number;
  clientY: number;
};

/** Space between the bars and the top of a page. */
const PAGE_TOP_GAP_PX = 8;
const WHOLE_PAGE_GAP_PX = 12;

const acrossAt = ({ left, scrollLeft, scrollWidth, pageWidth }: ViewportGeometry, clientX: number) =>
  (scrollLeft + clientX - left - scrollWidth / 2) / pageWidth;

const centerX = ({ left, width }: ViewportGeometry) => left + width / 2;

/** Null above and below the pages. */
export function anchorAt(geometry: ViewportGeometry, clientX: number, clientY: number): ScrollAnchor | null {
  const { top, height } = geometry;
  if (clientY < top || clientY > top + height) return null;
  return { ...positionAt(geometry, clientY), across: acrossAt(geometry, clientX), clientX, clientY };
}

export const anchorAtReadingLine = (geometry: ViewportGeometry): ScrollAnchor | null =>
  anchorAt(geometry, centerX(geometry), readingLineY(geometry));

/**
 * The anchor that shows a position. Null if the end of a page is requested and visible already: a page that fits the
 * window then stays at its top. `coveredPx` is the height of the bars over the pages.
 */
export function anchorForPosition(
  geometry: ViewportGeometry,
  { page, offset }: ReadingPosition,
  coveredPx: number,
): ScrollAnchor | null {
  const { layout, pageWidth, windowHeight } = geometry;
  const endY = clientYOf(geometry, { page, offset: 1 });
  if (offset >= 1 && endY > coveredPx && endY <= windowHeight) return null;
  const lineY = readingLineY(geometry);
  const clientX = centerX(geometry);
  // A low page starts further down, so that it reaches the reading line.
  const pageTopY = Math.max(coveredPx + PAGE_TOP_GAP_PX, lineY - layout.ratioOf(page) * pageWidth);
  return { page, offset, across: acrossAt(geometry, clientX), clientX, clientY: offset > 0 ? lineY : pageTopY };
}

/** The anchor that stays in place during a zoom: the given point, or the center of the visible part of the pages. */
export function anchorForZoom(
  geometry: ViewportGeometry,
  zoom: Zoom,
  { page, coveredPx, point }: { page: number; coveredPx: number; point?: { clientX: number; clientY: number } },
): ScrollAnchor | null {
  const { top, height, windowHeight } = geometry;
  const clientX = point?.clientX ?? centerX(geometry);
  if (zoom === 'page') return { page, offset: 0, across: 0, clientX, clientY: coveredPx + WHOLE_PAGE_GAP_PX };
  const clientY = point?.clientY ?? Math.max(coveredPx, Math.min(windowHeight / 2, top + height - 1));
  return anchorAt(geometry, clientX, clientY);
}

/** The scrolling that returns an anchor to its point of the window. */
export function scrollToAnchor(geometry: ViewportGeometry, anchor: ScrollAnchor) {
  const { layout, left, pageWidth, scrollWidth } = geometry;
  const page = Math.min(anchor.page, layout.pages);
  return {
    /** Pixels by which the window has to scroll down. */
    windowBy: clientYOf(geometry, { page, offset: anchor.offset }) - anchor.clientY,
    viewportLeft: scrollWidth / 2 + anchor.across * pageWidth - (anchor.clientX - left),
  };
}

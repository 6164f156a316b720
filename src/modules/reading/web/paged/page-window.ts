import type { PageRange } from './use-page-data.ts';
import type { ViewportGeometry } from './viewport-geometry.ts';

/** Window heights above and below the window within which pages are rendered. */
const OVERSCAN_WINDOWS = 2;
/** Window heights within which pages are about to become visible. */
const NEAR_WINDOWS = 0.5;
/** Scrolling more than this share of the window per frame skips images: the user is searching, not reading. */
const FAST_SCROLL_WINDOWS = 0.8;
/**
 * Above this many window heights per second only small images are used: a large one would scroll away before it is
 * decoded.
 */
const MEDIUM_SCROLL_WINDOWS_PER_SECOND = 6;

export type ScrollSpeed = 'still' | 'slow' | 'medium' | 'fast';

export type PageRanges = {
  /** Pages in the DOM. */
  rendered: PageRange;
  withImages: PageRange;
  /** Rendered pages that load a large image, which takes megabytes. */
  near: PageRange;
  /** Pages near the reading line after scrolling has stopped. */
  current: PageRange | null;
};

export const initialPageRanges = (range: PageRange): PageRanges => ({
  rendered: range,
  withImages: range,
  near: range,
  current: null,
});

/** A jump after a pause is slow, however far it goes: `seconds` is the time since the last update. */
export function scrollSpeed(scrolledPx: number, seconds: number, windowHeight: number): ScrollSpeed {
  if (scrolledPx <= MEDIUM_SCROLL_WINDOWS_PER_SECOND * windowHeight * seconds) return 'slow';
  return scrolledPx > FAST_SCROLL_WINDOWS * windowHeight ? 'fast' : 'medium';
}

/** Pages from `windows` window heights above the window to as many below it. */
function pagesAround({ layout, top, pageWidth, windowHeight }: ViewportGeometry, windows: number): PageRange {
  const firstRow = layout.rowAt(-top - windows * windowHeight, pageWidth);
  const lastRow = layout.rowAt(-top + (1 + windows) * windowHeight, pageWidth);
  return { first: layout.pagesOf(firstRow)[0] ?? 1, last: layout.pagesOf(lastRow).at(-1) ?? 1 };
}

/** Keeps the object identity of an equal range, so that React skips updates. */
const reuseIfEqual = (previous: PageRange | null, next: PageRange): PageRange =>
  previous?.first === next.first && previous.last === next.last ? previous : next;

/** Returns the previous object if no range changes. */
export function nextPageRanges(previous: PageRanges, geometry: ViewportGeometry, speed: ScrollSpeed): PageRanges {
  const renderedPages = pagesAround(geometry, OVERSCAN_WINDOWS);
  const nearPages = pagesAround(geometry, NEAR_WINDOWS);
  const isMediumOrFast = speed === 'medium' || speed === 'fast';
  const next: PageRanges = {
    rendered: reuseIfEqual(previous.rendered, renderedPages),
    withImages: speed === 'fast' ? previous.withImages : reuseIfEqual(previous.withImages, renderedPages),
    near: isMediumOrFast ? previous.near : reuseIfEqual(previous.near, nearPages),
    current: speed === 'still' ? reuseIfEqual(previous.current, nearPages) : previous.current,
  };
  const isChanged =
    next.rendered !== previous.rendered ||
    next.withImages !== previous.withImages ||
    next.near !== previous.near ||
    next.current !== previous.current;
  return isChanged ? next : previous;
}

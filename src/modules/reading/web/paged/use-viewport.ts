import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import { useReader, useReaderState } from '../reader-store.ts';
import { type PageLayout, rowTopPixels, VIEWPORT_PADDING } from './page-layout.ts';
import type { PageRange } from './use-page-data.ts';
import type { Zoom } from './zoom.ts';

/** Page width in pixels at 100 %. */
export const FULL_WIDTH_PX = 880;
/** The page at this share of the window height is the current one. */
const READING_LINE_SHARE = 0.4;
/** Window heights above and below the window within which pages are rendered. */
const OVERSCAN_WINDOWS = 2;
/** Window heights within which pages are about to become visible. */
const NEAR_WINDOWS = 0.5;
const SCROLL_END_MS = 120;
/** Layout changes are complete after this time. */
const LAYOUT_SETTLE_MS = 1_500;
/** User scrolling releases the pinned point. */
const userScrollEvents = ['wheel', 'touchmove', 'keydown'] as const;
/** Scrolling more than this share of the window per frame skips images: the user is searching, not reading. */
const FAST_SCROLL_WINDOWS = 0.8;
/**
 * Above this many window heights per second only small images are used: a large one would scroll away before it is
 * decoded.
 */
const BRISK_WINDOWS_PER_SECOND = 6;

/** A point of the document that keeps its position in the window. */
type Anchor = {
  page: number;
  /** Share of the page height. */
  down: number;
  /** Distance from the column center, in page widths. */
  across: number;
  clientX: number;
  clientY: number;
};

type PageRanges = {
  /** Pages in the DOM. */
  rendered: PageRange;
  /** Rendered pages that load an image. */
  withImages: PageRange;
  /** Rendered pages that load a large image, which takes megabytes. */
  near: PageRange;
  /** Pages near the reading line after scrolling has stopped. */
  current: PageRange | null;
};

/** Keeps the object identity of an equal range, so that React skips updates. */
const reuseIfEqual = (previous: PageRange | null, next: PageRange): PageRange =>
  previous?.first === next.first && previous.last === next.last ? previous : next;

/** Scroll position, zoom and rendered pages of a virtualized page list. */
export function useViewport(layout: PageLayout, initial: PageRange) {
  const { store, report } = useReader();
  const zoom = useReaderState((state) => state.zoom);
  const viewport = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLLIElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const pinnedPoint = useRef<Anchor | null>(null);
  const latest = useRef(layout);
  const appliedZoom = useRef<Zoom | null>(null);
  const updateLater = useRef<(() => void) | null>(null);
  /** Keeps a point fixed until the layout has settled. */
  const pin = useCallback((point: Anchor | null) => {
    pinnedPoint.current = point;
    setTimeout(() => {
      if (pinnedPoint.current === point) pinnedPoint.current = null;
    }, LAYOUT_SETTLE_MS);
  }, []);
  const [ranges, setRanges] = useState<PageRanges>({
    rendered: initial,
    withImages: initial,
    near: initial,
    current: null,
  });

  const measure = useCallback(() => {
    if (!viewport.current || !ruler.current) return null;
    const { top, left, width, height } = viewport.current.getBoundingClientRect();
    const page = ruler.current.getBoundingClientRect().width;
    const { scrollLeft, scrollWidth } = viewport.current;
    return { top, left, width, height, page, scrollLeft, scrollWidth };
  }, []);

  /** Null above and below the pages. */
  const anchorAt = useCallback(
    (clientX: number, clientY: number): Anchor | null => {
      const at = measure();
      if (!at || at.page === 0 || clientY < at.top || clientY > at.top + at.height) return null;
      const layout = latest.current;
      const row = layout.rowAt(clientY - at.top, at.page);
      const page = layout.pagesOf(row)[0] ?? 1;
      const down = clientY - at.top - rowTopPixels(layout, row, at.page);
      return {
        page,
        clientX,
        clientY,
        down: down / (layout.ratioOf(page) * at.page),
        across: (at.scrollLeft + clientX - at.left - at.scrollWidth / 2) / at.page,
      };
    },
    [measure],
  );

  /** Scrolls a point back to its position in the window. */
  const restore = useCallback(
    (point: Anchor | null) => {
      const at = measure();
      if (!at || !point || !viewport.current) return;
      const layout = latest.current;
      const page = Math.min(point.page, layout.pages);
      const height = layout.ratioOf(page) * at.page;
      const y = at.top + rowTopPixels(layout, layout.rowOf(page), at.page) + point.down * height;
      const left = at.scrollWidth / 2 + point.across * at.page - (point.clientX - at.left);
      if (Math.abs(y - point.clientY) > 0.5) window.scrollBy({ top: y - point.clientY, behavior: 'instant' });
      if (Math.abs(left - at.scrollLeft) > 0.5) viewport.current.scrollLeft = left;
    },
    [measure],
  );

  const goTo = useCallback(
    (page: number, offset = 0) => {
      const at = measure();
      if (!at || at.page === 0) return;
      const layout = latest.current;
      const end = at.top + rowTopPixels(layout, layout.rowOf(page), at.page) + layout.ratioOf(page) * at.page;
      // If the end is visible already, stays: a page that fits the window starts at its top.
      if (offset >= 1 && end > fixedBarsHeight() && end <= window.innerHeight) return;
      const line = READING_LINE_SHARE * window.innerHeight;
      const point = {
        page,
        down: offset,
        across: (at.scrollLeft + at.width / 2 - at.scrollWidth / 2) / at.page,
        clientX: at.left + at.width / 2,
        // Positions a low page so that it is the current one.
        clientY: offset > 0 ? line : Math.max(fixedBarsHeight() + 8, line - layout.ratioOf(page) * at.page),
      };
      pin(point);
      restore(point);
      // The next key press may come before the next update.
      store.dispatch({ type: 'pageReached', page });
    },
    [measure, pin, restore, store],
  );

  const zoomTo = useCallback(
    (zoom: Zoom, clientX?: number, clientY?: number) => {
      const at = measure();
      if (!at) return;
      const x = clientX ?? at.left + at.width / 2;
      const coveredPx = fixedBarsHeight();
      const y = clientY ?? Math.max(coveredPx, Math.min(window.innerHeight / 2, at.top + at.height - 1));
      const { page } = store.getState();
      pin(zoom === 'page' ? { page, down: 0, across: 0, clientX: x, clientY: coveredPx + 12 } : anchorAt(x, y));
      store.dispatch({ type: 'zoomChanged', zoom });
    },
    [measure, anchorAt, store, pin],
  );

  // Keeps the reading position when the page width changes.
  const onWidthChange = useCallback(() => {
    restore(pinnedPoint.current ?? anchor.current);
    const width = ruler.current?.getBoundingClientRect().width ?? 0;
    store.dispatch({ type: 'zoomMeasured', percent: Math.round((width / FULL_WIDTH_PX) * 100) });
    updateLater.current?.();
  }, [restore, store]);
  useEffect(() => {
    if (!ruler.current) return;
    const observer = new ResizeObserver(onWidthChange);
    observer.observe(ruler.current);
    return () => observer.disconnect();
  }, [onWidthChange]);
  useLayoutEffect(() => {
    if (appliedZoom.current === zoom) return;
    appliedZoom.current = zoom;
    // The next key press may come before the observer fires.
    onWidthChange();
  });
  useLayoutEffect(() => {
    // Not earlier: until now the rendered pages were those of the previous layout.
    latest.current = layout;
    if (layout.pages === 0) return;
    if (!pinnedPoint.current) pin(anchor.current);
    restore(pinnedPoint.current);
    updateLater.current?.();
  }, [layout, restore, pin]);

  useEffect(() => {
    let frame = 0;
    let scrollEndTimer: ReturnType<typeof setTimeout> | undefined;
    let lastScrollY = window.scrollY;
    let updatedAt = performance.now();
    const update = (isStill: boolean) => {
      const at = measure();
      if (!at || at.page === 0) return;
      const layout = latest.current;
      const windowHeight = window.innerHeight;
      const pagesBetween = (from: number, to: number): PageRange => ({
        first: layout.pagesOf(layout.rowAt(from, at.page))[0] ?? 1,
        last: layout.pagesOf(layout.rowAt(to, at.page)).at(-1) ?? 1,
      });
      const around = (windows: number) =>
        pagesBetween(-at.top - windows * windowHeight, -at.top + (1 + windows) * windowHeight);
      const renderedPages = around(OVERSCAN_WINDOWS);
      const scrolledPx = Math.abs(window.scrollY - lastScrollY);
      const seconds = (performance.now() - updatedAt) / 1_000;
      lastScrollY = window.scrollY;
      updatedAt = performance.now();
      const isBrisk = !isStill && scrolledPx > BRISK_WINDOWS_PER_SECOND * windowHeight * seconds;
      // A single jump to another page is not fast scrolling, however far it goes.
      const isFast = isBrisk && scrolledPx > FAST_SCROLL_WINDOWS * windowHeight;
      const near = around(NEAR_WINDOWS);
      setRanges((previous) => {
        const next = {
          rendered: reuseIfEqual(previous.rendered, renderedPages),
          withImages: isFast ? previous.withImages : reuseIfEqual(previous.withImages, renderedPages),
          near: isBrisk ? previous.near : reuseIfEqual(previous.near, near),
          current: isStill ? reuseIfEqual(previous.current, near) : previous.current,
        };
        const isChanged =
          next.rendered !== previous.rendered ||
          next.withImages !== previous.withImages ||
          next.near !== previous.near ||
          next.current !== previous.current;
        return isChanged ? next : previous;
      });
      anchor.current = pinnedPoint.current ?? anchorAt(at.left + at.width / 2, READING_LINE_SHARE * windowHeight);
      const line = -at.top + READING_LINE_SHARE * windowHeight;
      const row = layout.rowAt(line, at.page);
      const page = layout.pagesOf(row)[0] ?? 1;
      store.dispatch({ type: 'pageReached', page });
      if (!isStill) return;
      // The last page counts as read once its end is visible.
      if (at.top + at.height - VIEWPORT_PADDING <= windowHeight + 1) report(layout.pages, 1);
      else report(page, (line - rowTopPixels(layout, row, at.page)) / (layout.ratioOf(page) * at.page));
    };
    const onScroll = () => {
      clearTimeout(scrollEndTimer);
      scrollEndTimer = setTimeout(() => update(true), SCROLL_END_MS);
      if (frame === 0)
        frame = requestAnimationFrame(() => {
          frame = 0;
          update(false);
        });
    };
    // The window height can change without the page width.
    const onResize = () => {
      restore(pinnedPoint.current ?? anchor.current);
      onScroll();
    };
    const release = () => {
      pinnedPoint.current = null;
    };
    onScroll();
    // Layout changes can move other pages into view without scrolling.
    updateLater.current = onScroll;
    const listenerOptions = { passive: true, capture: true };
    for (const eventName of userScrollEvents) window.addEventListener(eventName, release, listenerOptions);
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      updateLater.current = null;
      clearTimeout(scrollEndTimer);
      cancelAnimationFrame(frame);
      for (const eventName of userScrollEvents) window.removeEventListener(eventName, release, listenerOptions);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [measure, anchorAt, restore, report, store]);

  return { viewport, ruler, ranges, goTo, zoomTo };
}

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { coveredHeight } from '../covered-height.ts';
import { useReader, useReaderState, type Zoom } from '../reader-store.ts';
import { type PageLayout, topOf, VIEWPORT_PADDING } from './page-layout.ts';
import type { PageRange } from './use-page-data.ts';

/** A page is 100 % when it is so many pixels wide. */
export const FULL_WIDTH = 880;
/** The page that lies here, as a part of the window's height, is the one being read. */
const READING_LINE = 0.4;
/** So many windows above and below what is seen are kept. */
const SPARE = 2;
/** And so many are about to be seen. */
const NEAR = 0.5;
const CALM_MS = 120;
/** Pages that change their size have done so after this. */
const SETTLE_MS = 1_500;
/** Whoever moves on himself is not held. */
const ownMoves = ['wheel', 'touchmove', 'keydown'] as const;
/** Whoever scrolls faster than this part of the window at a time looks for something, and reads nothing. */
const FAST = 0.8;
/** At so many windows a second small pictures do: a large one would be gone before it is unpacked. */
const BRISK = 6;

/** A point of the document that stands still while everything around it changes. */
type Anchor = {
  page: number;
  /** Down the page, as a part of its height. */
  down: number;
  /** From the middle of the column, in widths of a page. */
  across: number;
  clientX: number;
  clientY: number;
};

type Shown = {
  /** Pages that have a place on the desk. */
  placed: PageRange;
  /** Those of them worth a picture. */
  pictured: PageRange;
  /** Those of them worth a large one, which takes megabytes. */
  near: PageRange;
  /** Those one may be reading now. */
  read: PageRange | null;
};

/** The same one as long as it says the same. */
const kept = (was: PageRange | null, now: PageRange): PageRange =>
  was?.first === now.first && was.last === now.last ? was : now;

/** Scrolling, zooming and finding one's place among pages of which only a few are ever there. */
export function useViewport(layout: PageLayout, initial: PageRange) {
  const { store, report } = useReader();
  const zoom = useReaderState((state) => state.zoom);
  const desk = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLLIElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const pinned = useRef<Anchor | null>(null);
  const latest = useRef(layout);
  const settled = useRef<Zoom | null>(null);
  const lookAgain = useRef<(() => void) | null>(null);
  /** Holds a point until the pages have settled, whatever is measured meanwhile. */
  const pin = useCallback((point: Anchor | null) => {
    pinned.current = point;
    setTimeout(() => {
      if (pinned.current === point) pinned.current = null;
    }, SETTLE_MS);
  }, []);
  const [shown, setShown] = useState<Shown>({
    placed: initial,
    pictured: initial,
    near: initial,
    read: null,
  });

  const measure = useCallback(() => {
    if (!desk.current || !ruler.current) return null;
    const { top, left, width, height } = desk.current.getBoundingClientRect();
    const page = ruler.current.getBoundingClientRect().width;
    const { scrollLeft, scrollWidth } = desk.current;
    return { top, left, width, height, page, scrollLeft, scrollWidth };
  }, []);

  /** What lies at a point of the window; null above and below the pages. */
  const anchorAt = useCallback(
    (clientX: number, clientY: number): Anchor | null => {
      const at = measure();
      if (!at || at.page === 0 || clientY < at.top || clientY > at.top + at.height) return null;
      const layout = latest.current;
      const row = layout.rowAt(clientY - at.top, at.page);
      const page = layout.pagesOf(row)[0] ?? 1;
      const down = clientY - at.top - topOf(layout, row, at.page);
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

  /** Puts a point back to where it was in the window. */
  const restore = useCallback(
    (point: Anchor | null) => {
      const at = measure();
      if (!at || !point || !desk.current) return;
      const layout = latest.current;
      const page = Math.min(point.page, layout.pages);
      const height = layout.ratioOf(page) * at.page;
      const y = at.top + topOf(layout, layout.rowOf(page), at.page) + point.down * height;
      const left = at.scrollWidth / 2 + point.across * at.page - (point.clientX - at.left);
      if (Math.abs(y - point.clientY) > 0.5) window.scrollBy({ top: y - point.clientY, behavior: 'instant' });
      if (Math.abs(left - at.scrollLeft) > 0.5) desk.current.scrollLeft = left;
    },
    [measure],
  );

  const goTo = useCallback(
    (page: number, offset = 0) => {
      const at = measure();
      if (!at || at.page === 0) return;
      const layout = latest.current;
      const end = at.top + topOf(layout, layout.rowOf(page), at.page) + layout.ratioOf(page) * at.page;
      // Whoever wants to see the end sees it already: what fits the window opens with its beginning.
      if (offset >= 1 && end > coveredHeight() && end <= window.innerHeight) return;
      const line = READING_LINE * window.innerHeight;
      const point = {
        page,
        down: offset,
        across: (at.scrollLeft + at.width / 2 - at.scrollWidth / 2) / at.page,
        clientX: at.left + at.width / 2,
        // A low page is put where it is the one being read.
        clientY: offset > 0 ? line : Math.max(coveredHeight() + 8, line - layout.ratioOf(page) * at.page),
      };
      pin(point);
      restore(point);
      // The next key may come before anybody has looked where one is.
      store.setState({ page });
    },
    [measure, pin, restore, store],
  );

  const zoomTo = useCallback(
    (zoom: Zoom, clientX?: number, clientY?: number) => {
      const at = measure();
      if (!at) return;
      const x = clientX ?? at.left + at.width / 2;
      const covered = coveredHeight();
      const y = clientY ?? Math.max(covered, Math.min(window.innerHeight / 2, at.top + at.height - 1));
      const { page } = store.getState();
      pin(zoom === 'page' ? { page, down: 0, across: 0, clientX: x, clientY: covered + 12 } : anchorAt(x, y));
      store.setState({ zoom });
    },
    [measure, anchorAt, store, pin],
  );

  // Whatever changes the width of the pages, the place in the text stays.
  const settle = useCallback(() => {
    restore(pinned.current ?? anchor.current);
    const width = ruler.current?.getBoundingClientRect().width ?? 0;
    store.setState({ percent: Math.round((width / FULL_WIDTH) * 100) });
    lookAgain.current?.();
  }, [restore, store]);
  useEffect(() => {
    if (!ruler.current) return;
    const observer = new ResizeObserver(settle);
    observer.observe(ruler.current);
    return () => observer.disconnect();
  }, [settle]);
  useLayoutEffect(() => {
    if (settled.current === zoom) return;
    settled.current = zoom;
    // The next key may come before the observer.
    settle();
  });
  useLayoutEffect(() => {
    // Not before: until now the pages on the screen were those of the layout before.
    latest.current = layout;
    if (layout.pages === 0) return;
    if (!pinned.current) pin(anchor.current);
    restore(pinned.current);
    lookAgain.current?.();
  }, [layout, restore, pin]);

  useEffect(() => {
    let frame = 0;
    let calm: ReturnType<typeof setTimeout> | undefined;
    let before = window.scrollY;
    let lookedAt = performance.now();
    const look = (isStill: boolean) => {
      const at = measure();
      if (!at || at.page === 0) return;
      const layout = latest.current;
      const high = window.innerHeight;
      const pagesBetween = (from: number, to: number): PageRange => ({
        first: layout.pagesOf(layout.rowAt(from, at.page))[0] ?? 1,
        last: layout.pagesOf(layout.rowAt(to, at.page)).at(-1) ?? 1,
      });
      const around = (windows: number) => pagesBetween(-at.top - windows * high, -at.top + (1 + windows) * high);
      const placed = around(SPARE);
      const moved = Math.abs(window.scrollY - before);
      const seconds = (performance.now() - lookedAt) / 1_000;
      before = window.scrollY;
      lookedAt = performance.now();
      const isBrisk = !isStill && moved > BRISK * high * seconds;
      // One step to another page is not, however far it leads.
      const isFast = isBrisk && moved > FAST * high;
      const near = around(NEAR);
      setShown((was) => {
        const next = {
          placed: kept(was.placed, placed),
          pictured: isFast ? was.pictured : kept(was.pictured, placed),
          near: isBrisk ? was.near : kept(was.near, near),
          read: isStill ? kept(was.read, near) : was.read,
        };
        const isChanged =
          next.placed !== was.placed ||
          next.pictured !== was.pictured ||
          next.near !== was.near ||
          next.read !== was.read;
        return isChanged ? next : was;
      });
      anchor.current = pinned.current ?? anchorAt(at.left + at.width / 2, READING_LINE * high);
      const line = -at.top + READING_LINE * high;
      const row = layout.rowAt(line, at.page);
      const page = layout.pagesOf(row)[0] ?? 1;
      if (page !== store.getState().page) store.setState({ page });
      if (!isStill) return;
      // The last page is read once its end is in sight.
      if (at.top + at.height - VIEWPORT_PADDING <= high + 1) report(layout.pages, 1);
      else report(page, (line - topOf(layout, row, at.page)) / (layout.ratioOf(page) * at.page));
    };
    const onScroll = () => {
      clearTimeout(calm);
      calm = setTimeout(() => look(true), CALM_MS);
      if (frame === 0)
        frame = requestAnimationFrame(() => {
          frame = 0;
          look(false);
        });
    };
    // The window's own height changes without that of the pages.
    const onResize = () => {
      restore(pinned.current ?? anchor.current);
      onScroll();
    };
    const release = () => {
      pinned.current = null;
    };
    onScroll();
    // Other pages may be in sight although nobody scrolled.
    lookAgain.current = onScroll;
    const early = { passive: true, capture: true };
    for (const move of ownMoves) window.addEventListener(move, release, early);
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      lookAgain.current = null;
      clearTimeout(calm);
      cancelAnimationFrame(frame);
      for (const move of ownMoves) window.removeEventListener(move, release, early);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [measure, anchorAt, restore, report, store]);

  return { desk, ruler, shown, goTo, zoomTo };
}

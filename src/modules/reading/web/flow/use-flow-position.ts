import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import type { PageRange } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { extendRange, sectionRangeAt } from './flow-section-range.ts';

/** Space between the bars and the line being read. */
const LINE_GAP_PX = 12;
const readingLineOffset = () => fixedBarsHeight() + LINE_GAP_PX;
/** A jump to the end of a section puts the end here, as a share of the window height. */
const END_LINE_SHARE = 0.4;
/** Distance beyond the window within which sections are loaded. */
const PRELOAD_PX = 1_600;

/** `down`: share of the section height. `y`: last known offset in the page, null until the view has scrolled there. */
type Anchor = { page: number; down: number; y: number | null };

const sectionsIn = (element: HTMLElement) => Array.from(element.querySelectorAll<HTMLElement>('[data-section]'));
const pageOf = (section: HTMLElement) => Number(section.dataset.section);

/** The place at the line being read; null if nothing has scrolled above the line. */
function measureAnchor(sections: HTMLElement[]): (Anchor & { y: number }) | null {
  const line = readingLineOffset();
  const section = sections.findLast((each) => each.getBoundingClientRect().top <= line + 1);
  if (!section) return null;
  const { top, height } = section.getBoundingClientRect();
  const down = Math.max(0, Math.min(1, (line - top) / Math.max(1, height)));
  return { page: pageOf(section), down, y: top + down * height + window.scrollY };
}

/** How far to scroll so that the anchor stays in place, or comes into view for the first time; also its new `y`. */
function measureAnchorOffset({ down, y: previousY }: Anchor, section: HTMLElement): { offset: number; y: number } {
  const { top, bottom, height } = section.getBoundingClientRect();
  const y = top + down * height + window.scrollY;
  if (previousY !== null) return { offset: y - previousY, y };
  const firstLine = readingLineOffset();
  const isEndVisible = bottom > firstLine && bottom <= window.innerHeight;
  // If the end is visible already, stays: a section that fits the window starts at its top.
  if (down >= 1 && isEndVisible) return { offset: 0, y };
  const line = down < 1 ? firstLine : END_LINE_SHARE * window.innerHeight;
  return { offset: y - line - window.scrollY, y };
}

/** Sections to load next. Waits for those that are loading; nearby ones stay, because they would be loaded again. */
function extendRangeTowardsView(
  previous: PageRange,
  { top, bottom }: DOMRect,
  { readable, isLoaded }: { readable: number; isLoaded: (page: number) => boolean },
): PageRange {
  const [above, below] = [-top, bottom - window.innerHeight];
  if (below < PRELOAD_PX && previous.last < readable) {
    if (!isLoaded(previous.last)) return previous;
    const { first, last } = extendRange(previous, 1, readable);
    return { first: above > 2 * PRELOAD_PX ? first : previous.first, last };
  }
  const needsPrevious = above < PRELOAD_PX && previous.first > 1;
  if (!needsPrevious || !isLoaded(previous.first)) return previous;
  const { first, last } = extendRange(previous, -1, readable);
  return { first, last: below > 2 * PRELOAD_PX ? last : previous.last };
}

/** Calls `update` after scrolling, and after the element has changed its size. */
function useScrollAndResize(viewport: RefObject<HTMLElement | null>, update: () => void, onResize: () => void) {
  useEffect(() => {
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const observer = new ResizeObserver(() => {
      onResize();
      onScroll();
    });
    if (viewport.current) observer.observe(viewport.current);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', onScroll);
    };
  }, [viewport, update, onResize]);
}

/** Manages the loaded sections and keeps the reading position stable while sections, images or the font size change. */
export function useFlowPosition(viewport: RefObject<HTMLElement | null>) {
  const { layout, first: serverRenderedPages, store, report, position } = useReader();
  const { readable } = layout;
  const [range, setRange] = useState<PageRange>(() => {
    // Without scripts the server-rendered sections are all there is.
    const [first, last] = [serverRenderedPages.page[0]?.page, serverRenderedPages.page.at(-1)?.page];
    return first && last ? { first, last } : sectionRangeAt(1, readable);
  });
  const anchor = useRef<Anchor | null>(null);
  const sectionOf = useCallback(
    (page: number) => viewport.current?.querySelector<HTMLElement>(`[data-section="${page}"]`) ?? null,
    [viewport],
  );
  /** Scrolls so that the anchor stays in place when the content above it changes. */
  const holdPosition = useCallback(() => {
    const section = anchor.current && sectionOf(anchor.current.page);
    if (!anchor.current || !section) return;
    const { offset, y } = measureAnchorOffset(anchor.current, section);
    anchor.current.y = y;
    if (Math.abs(offset) > 1) window.scrollBy({ top: offset, behavior: 'instant' });
  }, [sectionOf]);
  const goTo = useCallback(
    (page: number, offset = 0) => {
      anchor.current = { page, down: offset, y: null };
      // Stored also if the reader leaves before the section has loaded.
      position.current = { page, offset };
      store.dispatch({ type: 'pageReached', page });
      if (sectionOf(page)) holdPosition();
      else setRange(sectionRangeAt(page, readable));
    },
    [holdPosition, sectionOf, position, store, readable],
  );
  const update = useCallback(() => {
    const element = viewport.current;
    // Keeps an anchor that has not been scrolled to yet.
    if (!element || anchor.current?.y === null) return;
    const sections = sectionsIn(element);
    const last = sections.at(-1);
    const isAtEnd = last && pageOf(last) === readable && last.getBoundingClientRect().bottom <= window.innerHeight;
    store.dispatch({ type: isAtEnd ? 'endReached' : 'endLeft' });
    const place = measureAnchor(sections);
    anchor.current = place;
    position.current = place && { page: place.page, offset: place.down };
    if (place) store.dispatch({ type: 'pageReached', page: place.page });
    if (isAtEnd) report(readable, 1);
    else if (place) report(place.page, place.down);
    // Opened, and nothing has scrolled out of the window yet.
    else if (sections[0]) report(pageOf(sections[0]), 0);
    const isLoaded = (page: number) => sectionOf(page) !== null;
    const box = element.getBoundingClientRect();
    if (last) setRange((previous) => extendRangeTowardsView(previous, box, { readable, isLoaded }));
  }, [viewport, readable, report, sectionOf, position, store]);
  useScrollAndResize(viewport, update, holdPosition);
  // Before the browser paints the new sections.
  useLayoutEffect(holdPosition);
  return { range, goTo, holdPosition };
}

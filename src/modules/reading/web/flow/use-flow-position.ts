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
    const { current } = anchor;
    const section = current && sectionOf(current.page);
    if (!section) return;
    const { top, bottom, height } = section.getBoundingClientRect();
    const y = top + current.down * height + window.scrollY;
    const firstLine = readingLineOffset();
    const line = current.down < 1 ? firstLine : END_LINE_SHARE * window.innerHeight;
    const isEndVisible = bottom > firstLine && bottom <= window.innerHeight;
    // If the end is visible already, stays: a section that fits the window starts at its top.
    const distance = current.down >= 1 && isEndVisible ? 0 : y - line - window.scrollY;
    const offset = current.y === null ? distance : y - current.y;
    current.y = y;
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

  useEffect(() => {
    const update = () => {
      const element = viewport.current;
      // Keeps an anchor that has not been scrolled to yet.
      if (!element || anchor.current?.y === null) return;
      const { top, bottom } = element.getBoundingClientRect();
      const sections = Array.from(element.querySelectorAll<HTMLElement>('[data-section]'));
      const line = readingLineOffset();
      const currentSection = sections.findLast((each) => each.getBoundingClientRect().top <= line + 1);
      const last = sections.at(-1);
      const isAtEnd =
        last?.dataset.section === String(readable) && last.getBoundingClientRect().bottom <= window.innerHeight;
      store.dispatch({ type: isAtEnd ? 'endReached' : 'endLeft' });
      if (isAtEnd) report(readable, 1);
      if (currentSection) {
        const box = currentSection.getBoundingClientRect();
        const page = Number(currentSection.dataset.section);
        const down = Math.max(0, Math.min(1, (line - box.top) / Math.max(1, box.height)));
        anchor.current = { page, down, y: box.top + down * box.height + window.scrollY };
        position.current = { page, offset: down };
        store.dispatch({ type: 'pageReached', page });
        if (!isAtEnd) report(page, down);
      } else {
        anchor.current = null;
        position.current = null;
        // Opened, and nothing has scrolled out of the window yet.
        if (sections[0] && !isAtEnd) report(Number(sections[0].dataset.section), 0);
      }
      if (sections.length === 0) return;
      setRange((previous) => {
        const [above, below] = [-top, bottom - window.innerHeight];
        const needsNext = below < PRELOAD_PX && previous.last < readable;
        const needsPrevious = above < PRELOAD_PX && previous.first > 1;
        // Waits for sections that are still loading. Nearby sections are not dropped, because they would be loaded
        // again immediately.
        if (needsNext) {
          if (!sectionOf(previous.last)) return previous;
          const { first, last } = extendRange(previous, 1, readable);
          return { first: above > 2 * PRELOAD_PX ? first : previous.first, last };
        }
        if (!needsPrevious || !sectionOf(previous.first)) return previous;
        const { first, last } = extendRange(previous, -1, readable);
        return { first, last: below > 2 * PRELOAD_PX ? last : previous.last };
      });
    };
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(update);
    };
    const element = viewport.current;
    const observer = new ResizeObserver(() => {
      holdPosition();
      onScroll();
    });
    if (element) observer.observe(element);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', onScroll);
    };
  }, [viewport, holdPosition, readable, report, sectionOf, position, store]);

  // Before the browser paints the new sections.
  useLayoutEffect(holdPosition);
  return { range, goTo, holdPosition };
}

import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { coveredHeight } from '../covered-height.ts';
import type { PageRange } from '../paged/use-page-data.ts';
import { useReader } from '../reader-store.ts';
import { grow, rangeAt } from './flow-range.ts';

/** Space between the bars and the line being read, in pixels. */
const LINE_GAP = 12;
const readingLine = () => coveredHeight() + LINE_GAP;
/** Whoever goes to the end of a section sees it here, as a part of the window's height. */
const END_LINE = 0.4;
/** So far beyond the window the next sections are wanted. */
const AHEAD = 1_600;

/** A point of the text; `y` is where it stood in the document, null until it has been gone to. */
type Place = { page: number; down: number; y: number | null };

/**
 * Which sections are there, and the place one reads among them: it stays under the eyes while sections
 * come and go, pictures arrive or letters change their size.
 */
export function useFlowPlace(desk: RefObject<HTMLElement | null>) {
  const { layout, first: came, store, report, place: seen } = useReader();
  const { readable } = layout;
  const [range, setRange] = useState<PageRange>(() => {
    // Without scripts what came is all there is to read before the next part.
    const [first, last] = [came.page[0]?.page, came.page.at(-1)?.page];
    return first && last ? { first, last } : rangeAt(1, readable);
  });
  const place = useRef<Place | null>(null);
  const sectionOf = useCallback(
    (page: number) => desk.current?.querySelector<HTMLElement>(`[data-section="${page}"]`) ?? null,
    [desk],
  );

  /** Goes along with the place when what lies above it changes. */
  const hold = useCallback(() => {
    const { current: at } = place;
    const section = at && sectionOf(at.page);
    if (!section) return;
    const { top, bottom, height } = section.getBoundingClientRect();
    const y = top + at.down * height + window.scrollY;
    const firstLine = readingLine();
    const line = at.down < 1 ? firstLine : END_LINE * window.innerHeight;
    const isSeen = bottom > firstLine && bottom <= window.innerHeight;
    // Whoever wants to see the end and sees it already stays: what fits the window opens with its
    // beginning.
    const way = at.down >= 1 && isSeen ? 0 : y - line - window.scrollY;
    const off = at.y === null ? way : y - at.y;
    at.y = y;
    if (Math.abs(off) > 1) window.scrollBy({ top: off, behavior: 'instant' });
  }, [sectionOf]);

  const goTo = useCallback(
    (page: number, offset = 0) => {
      place.current = { page, down: offset, y: null };
      // Stored also when the reader leaves before the section has loaded.
      seen.current = { page, offset };
      store.setState({ page });
      if (sectionOf(page)) hold();
      else setRange(rangeAt(page, readable));
    },
    [hold, sectionOf, seen, store, readable],
  );

  useEffect(() => {
    const look = () => {
      const element = desk.current;
      // A place that is still on its way is not left behind.
      if (!element || place.current?.y === null) return;
      const { top, bottom } = element.getBoundingClientRect();
      const sections = Array.from(element.querySelectorAll<HTMLElement>('[data-section]'));
      const line = readingLine();
      const read = sections.findLast((each) => each.getBoundingClientRect().top <= line + 1);
      const last = sections.at(-1);
      const isAtEnd =
        last?.dataset.section === String(readable) && last.getBoundingClientRect().bottom <= window.innerHeight;
      if (isAtEnd !== store.getState().isAtEnd) store.setState({ isAtEnd });
      if (isAtEnd) report(readable, 1);
      if (read) {
        const at = read.getBoundingClientRect();
        const page = Number(read.dataset.section);
        const down = Math.max(0, Math.min(1, (line - at.top) / Math.max(1, at.height)));
        place.current = { page, down, y: at.top + down * at.height + window.scrollY };
        seen.current = { page, offset: down };
        if (page !== store.getState().page) store.setState({ page });
        if (!isAtEnd) report(page, down);
      } else {
        place.current = null;
        seen.current = null;
        // Opened, and nothing has left the window yet.
        if (sections[0] && !isAtEnd) report(Number(sections[0].dataset.section), 0);
      }
      if (sections.length === 0) return;
      setRange((was) => {
        const [above, below] = [-top, bottom - window.innerHeight];
        const wantsMore = below < AHEAD && was.last < readable;
        const wantsEarlier = above < AHEAD && was.first > 1;
        // Not past what is still to come. What is near goes not, or it would be wanted again at once.
        if (wantsMore) {
          if (!sectionOf(was.last)) return was;
          const { first, last } = grow(was, 1, readable);
          return { first: above > 2 * AHEAD ? first : was.first, last };
        }
        if (!wantsEarlier || !sectionOf(was.first)) return was;
        const { first, last } = grow(was, -1, readable);
        return { first, last: below > 2 * AHEAD ? last : was.last };
      });
    };
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    const element = desk.current;
    const observer = new ResizeObserver(() => {
      hold();
      onScroll();
    });
    if (element) observer.observe(element);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      window.removeEventListener('scroll', onScroll);
    };
  }, [desk, hold, readable, report, sectionOf, seen, store]);

  // Before the eye sees what came above.
  useLayoutEffect(hold);
  return { range, goTo, hold };
}

import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { goToPage, type Place, type Reader } from './reader-store.ts';

const FOLLOW_MS = 400;

/** The page an address names: `#p=12`. */
export const pageOfHash = (hash: string): number | null => {
  const [, page] = /^#p=(\d{1,7})$/.exec(hash) ?? [];
  return page ? Number(page) : null;
};

/** The browser has brought back where one was; a page's number would be less exact. */
const isBroughtBack = () => {
  const [visit] = performance.getEntriesByType('navigation');
  const type = visit instanceof PerformanceNavigationTiming ? visit.type : '';
  return window.scrollY > 0 && (type === 'reload' || type === 'back_forward');
};

/** In a book what lies above a place is another each time: the history remembers the place itself. */
const placeKept = (): Place | null => window.history.state?.place ?? null;

/** Keeps the place for whoever comes back to this entry of the history. */
function keepPlace(kept: Place | null, address = window.location.href) {
  if (!kept && !placeKept() && address === window.location.href) return;
  window.history.replaceState({ ...window.history.state, place: kept ?? undefined }, '', address);
}

/** How many links within the book were followed since it was opened. */
export const stepsInBook = (): number => window.history.state?.steps ?? 0;

/** One step further within the book; the way back leads to where one was. */
export function stepInBook(reader: Reader, hash: string) {
  // At the very beginning nothing has left the window yet.
  keepPlace(reader.place.current ?? { page: reader.store.getState().page, offset: 0 });
  const steps = stepsInBook() + 1;
  window.history.pushState({ ...window.history.state, place: undefined, steps }, '', hash);
}

function placeAsked(): Place | null {
  const asked = Number(new URLSearchParams(window.location.search).get('page') ?? 0);
  const page = pageOfHash(window.location.hash) ?? asked;
  return page > 1 ? { page, offset: 0 } : null;
}

/**
 * Opens at the page the address names, else where one stopped last time (`start`); from then on the
 * address follows the page being read. `isSettled`: no more pages will become readable.
 */
export function useAddress(reader: Reader, start: Place | null, isSettled: boolean) {
  const { id, store, place } = reader;
  const isFlow = reader.layout.view === 'flow';
  const wanted = useRef<Place | null | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const follow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Not while the page that was asked for may still become readable.
      if (wanted.current) return;
      // On the way to another page, whose entry this is not.
      if (window.location.pathname !== `/document/${id}`) return;
      const { page } = store.getState();
      const next = new URL(window.location.href);
      next.hash = page > 1 ? `#p=${page}` : '';
      keepPlace(isFlow ? place.current : null, next.href);
    }, FOLLOW_MS);
  }, [id, store, place, isFlow]);
  useEffect(() => {
    const isFirst = wanted.current === undefined;
    // Only pages have their heights before they are there.
    const isThere = reader.layout.view === 'pages' && isBroughtBack();
    if (isFirst) wanted.current = isThere ? null : (placeKept() ?? placeAsked());
    // Whoever scrolled already wants to be where he is.
    if (start && !placeAsked() && window.scrollY < 200) wanted.current ??= start;
    const { current: to } = wanted;
    if (!to) return;
    goToPage(reader, to.page, to.offset);
    // More may become readable once it is known who reads.
    if (to.page > reader.layout.readable && !isSettled) return;
    wanted.current = null;
    follow();
  }, [reader, start, isSettled, follow]);
  useEffect(() => {
    const stay = () => {
      wanted.current = null;
    };
    const moves = ['wheel', 'touchmove', 'keydown'] as const;
    for (const move of moves) window.addEventListener(move, stay, { passive: true });
    return () => {
      for (const move of moves) window.removeEventListener(move, stay);
    };
  }, []);
  useSteps(reader, follow);
  useEffect(() => {
    const forget = store.subscribe(({ page }, before) => {
      if (page !== before.page) follow();
    });
    if (isFlow) window.addEventListener('scroll', follow, { passive: true });
    return () => {
      clearTimeout(timer.current);
      forget();
      window.removeEventListener('scroll', follow);
    };
  }, [store, follow, isFlow]);
}

/** Goes along with steps through the history that stay in the document. */
function useSteps(reader: Reader, follow: () => void) {
  const location = useLocation();
  const seen = useRef(location);
  const go = useEffectEvent(() => {
    // On the way to another page, whose place this is not.
    if (window.location.pathname !== location.pathname) return;
    const kept = placeKept();
    const page = pageOfHash(window.location.hash);
    if (kept) goToPage(reader, kept.page, kept.offset);
    else if (page && page !== reader.store.getState().page) goToPage(reader, page);
    else return;
    follow();
  });
  useEffect(() => {
    const onStep = () => go();
    window.addEventListener('popstate', onStep);
    return () => window.removeEventListener('popstate', onStep);
  }, []);
  // Once more after the router, which scrolls and knows nothing of pages.
  useEffect(() => {
    if (seen.current !== location) go();
    seen.current = location;
  }, [location]);
}

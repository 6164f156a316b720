import { useCallback, useEffect, useRef } from 'react';
import { goToPage, type Reader } from './reader-store.ts';

const FOLLOW_MS = 400;

/** The page an address names: `#p=12`. */
export const pageOfHash = (hash: string): number | null => {
  const [, page] = /^#p=(\d{1,7})$/.exec(hash) ?? [];
  return page ? Number(page) : null;
};

type Place = { page: number; offset: number };

/** The browser has brought back where one was; a page's number would be less exact. */
const isBroughtBack = () => {
  const [visit] = performance.getEntriesByType('navigation');
  const type = visit instanceof PerformanceNavigationTiming ? visit.type : '';
  return window.scrollY > 0 && (type === 'reload' || type === 'back_forward');
};

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
  const { store } = reader;
  const wanted = useRef<Place | null | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const follow = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Not while the page that was asked for may still become readable.
      if (wanted.current) return;
      const { page } = store.getState();
      const { pathname, search, hash } = window.location;
      const next = page > 1 ? `#p=${page}` : '';
      if (next !== hash)
        window.history.replaceState(window.history.state, '', pathname + search + next);
    }, FOLLOW_MS);
  }, [store]);
  useEffect(() => {
    const isFirst = wanted.current === undefined;
    // A table scrolls within itself; no browser remembers that.
    const isThere = reader.layout.view !== 'sheet' && isBroughtBack();
    if (isFirst) wanted.current = isThere ? null : placeAsked();
    // Whoever scrolled already wants to be where he is.
    if (start && !placeAsked() && window.scrollY < 200) wanted.current ??= start;
    const { current: place } = wanted;
    if (!place) return;
    goToPage(reader, place.page, place.offset);
    // More may become readable once it is known who reads.
    if (place.page > reader.layout.readable && !isSettled) return;
    wanted.current = null;
    follow();
  }, [reader, start, isSettled, follow]);
  useEffect(() => {
    const stay = () => {
      wanted.current = null;
    };
    const onHash = () => {
      const page = pageOfHash(window.location.hash);
      if (!page || page === store.getState().page) return;
      goToPage(reader, page);
      follow();
    };
    const moves = ['wheel', 'touchmove', 'keydown'] as const;
    for (const move of moves) window.addEventListener(move, stay, { passive: true });
    window.addEventListener('hashchange', onHash);
    return () => {
      for (const move of moves) window.removeEventListener(move, stay);
      window.removeEventListener('hashchange', onHash);
    };
  }, [reader, store, follow]);
  useEffect(() => {
    const forget = store.subscribe(({ page }, before) => {
      if (page !== before.page) follow();
    });
    return () => {
      clearTimeout(timer.current);
      forget();
    };
  }, [store, follow]);
}

/** How many links within the book were followed since it was opened. */
export const stepsInBook = (): number => window.history.state?.steps ?? 0;

import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import { goToPage, type Reader, type ReadingPosition } from './reader-store.ts';

const UPDATE_DELAY_MS = 400;

export const parsePageHash = (hash: string): number | null => {
  const [, page] = /^#p=(\d{1,7})$/.exec(hash) ?? [];
  return page ? Number(page) : null;
};

/** The browser restored the scroll position, which is more exact than a page number. */
const isScrollRestored = () => {
  const [visit] = performance.getEntriesByType('navigation');
  const type = visit instanceof PerformanceNavigationTiming ? visit.type : '';
  return window.scrollY > 0 && (type === 'reload' || type === 'back_forward');
};

/** Section heights differ between visits, so the history entry stores the position itself. */
const positionInHistoryState = (): ReadingPosition | null => window.history.state?.place ?? null;

/** Stores the position in the current history entry. */
function storePositionInHistory(position: ReadingPosition | null, address = window.location.href) {
  if (!position && !positionInHistoryState() && address === window.location.href) return;
  window.history.replaceState({ ...window.history.state, place: position ?? undefined }, '', address);
}

/** Number of links within the document followed since it was opened. */
export const followedLinkCount = (): number => window.history.state?.steps ?? 0;

/** Adds a history entry for a followed link, so that going back returns to the previous position. */
export function pushFollowedLink(reader: Reader, hash: string) {
  // At the very start there is no stored position yet.
  storePositionInHistory(reader.position.current ?? { page: reader.store.getState().page, offset: 0 });
  const steps = followedLinkCount() + 1;
  window.history.pushState({ ...window.history.state, place: undefined, steps }, '', hash);
}

function positionInUrl(): ReadingPosition | null {
  const pageParameter = Number(new URLSearchParams(window.location.search).get('page') ?? 0);
  const page = parsePageHash(window.location.hash) ?? pageParameter;
  return page > 1 ? { page, offset: 0 } : null;
}

/**
 * Opens at the page in the URL, else at the last position (`start`), and then updates the URL while reading.
 * `isSettled`: the number of readable pages is final.
 */
export function useUrlPosition(reader: Reader, start: ReadingPosition | null, isSettled: boolean) {
  const { id, store, position } = reader;
  const isFlow = reader.layout.view === 'flow';
  const pendingPosition = useRef<ReadingPosition | null | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const updateUrl = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // Not while the requested page may still become readable.
      if (pendingPosition.current) return;
      // A navigation to another page is in progress; its history entry must not change.
      if (window.location.pathname !== `/document/${id}`) return;
      const { page } = store.getState();
      const next = new URL(window.location.href);
      next.hash = page > 1 ? `#p=${page}` : '';
      storePositionInHistory(isFlow ? position.current : null, next.href);
    }, UPDATE_DELAY_MS);
  }, [id, store, position, isFlow]);
  useEffect(() => {
    const isFirst = pendingPosition.current === undefined;
    // Only page images have known heights before they load.
    const isRestored = reader.layout.view === 'pages' && isScrollRestored();
    if (isFirst) pendingPosition.current = isRestored ? null : (positionInHistoryState() ?? positionInUrl());
    // The user has not scrolled yet.
    if (start && !positionInUrl() && window.scrollY < 200) pendingPosition.current ??= start;
    const { current: target } = pendingPosition;
    if (!target) return;
    goToPage(reader, target.page, target.offset);
    // More pages may become readable once the viewer is known.
    if (target.page > reader.layout.readable && !isSettled) return;
    pendingPosition.current = null;
    updateUrl();
  }, [reader, start, isSettled, updateUrl]);
  useEffect(() => {
    const cancelPending = () => {
      pendingPosition.current = null;
    };
    const userEvents = ['wheel', 'touchmove', 'keydown'] as const;
    for (const eventName of userEvents) window.addEventListener(eventName, cancelPending, { passive: true });
    return () => {
      for (const eventName of userEvents) window.removeEventListener(eventName, cancelPending);
    };
  }, []);
  useHistoryNavigation(reader, updateUrl);
  useEffect(() => {
    const unsubscribe = store.subscribe(({ page }, previous) => {
      if (page !== previous.page) updateUrl();
    });
    if (isFlow) window.addEventListener('scroll', updateUrl, { passive: true });
    return () => {
      clearTimeout(timer.current);
      unsubscribe();
      window.removeEventListener('scroll', updateUrl);
    };
  }, [store, updateUrl, isFlow]);
}

/** Follows history navigation within the document. */
function useHistoryNavigation(reader: Reader, updateUrl: () => void) {
  const location = useLocation();
  const handledLocation = useRef(location);
  const restorePosition = useEffectEvent(() => {
    // A navigation to another page is in progress.
    if (window.location.pathname !== location.pathname) return;
    const position = positionInHistoryState();
    const page = parsePageHash(window.location.hash);
    if (position) goToPage(reader, position.page, position.offset);
    else if (page && page !== reader.store.getState().page) goToPage(reader, page);
    else return;
    updateUrl();
  });
  useEffect(() => {
    const onPopState = () => restorePosition();
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
  // Again after the router, which resets the scroll position.
  useEffect(() => {
    if (handledLocation.current !== location) restorePosition();
    handledLocation.current = location;
  }, [location]);
}

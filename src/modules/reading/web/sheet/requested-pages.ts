import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { queryKeyOf } from '#platform/web/api.ts';
import { readingApi } from '../../reading.contract.ts';
import type { PageRange } from '../paged/use-page-data.ts';

/** Scrolling by more pages than this skips them: they are loaded only where the scrolling pauses. */
const MAX_GAP_PAGES = 3;
const PAUSE_MS = 120;

/** The pages to load: the visible ones, unless the reader is scrolling past them. */
export function useRequestedPages({ first, last }: PageRange): PageRange {
  const [requestedRange, setRequestedRange] = useState({ first, last });
  const isNear = first <= requestedRange.last + MAX_GAP_PAGES && last >= requestedRange.first - MAX_GAP_PAGES;
  useEffect(() => {
    const timer = setTimeout(() => setRequestedRange({ first, last }), isNear ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [first, last, isNear]);
  return isNear ? { first, last } : requestedRange;
}

/** Requests whose rows stay in memory after they were scrolled out of view. */
const MAX_CACHED_REQUESTS = 40;

/** Removes the rows that were loaded first while a reader scrolls through a long sheet. */
export function useBoundedPageCache(): void {
  const cache = useQueryClient().getQueryCache();
  // After every render, because each new request makes an older one inactive.
  useEffect(() => {
    const unusedQueries = cache.findAll({ queryKey: queryKeyOf(readingApi.pages), type: 'inactive' });
    const oldestFirst = unusedQueries.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
    for (const query of oldestFirst.slice(0, -MAX_CACHED_REQUESTS)) cache.remove(query);
  });
}

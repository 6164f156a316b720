import { createContext, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { readingApi } from '../reading.contract.ts';
import { goToPage, type Hit, type Reader } from './reader-store.ts';

/** `index` is zero-based among the hits of the page. */
export type ActiveHit = { page: number; index: number };
/** `hitRequest` differs when the same hit is requested again. */
type RequestedHit = ActiveHit & { hitRequest: number };
export type Find = {
  wd: string;
  /** The normalized search text; empty if there is none. */
  needle: string;
  hits: Hit[];
  total: number;
  status: 'idle' | 'looking' | 'found' | 'unready' | 'failed';
  hitIndex: number;
  active: RequestedHit | null;
};

const emptyFind: Find = {
  wd: '',
  needle: '',
  hits: [],
  total: 0,
  status: 'idle',
  hitIndex: -1,
  active: null,
};
export const FindContext = createContext<Find>(emptyFind);
export const useFindState = () => useContext(FindContext);

const POLL_INTERVAL_MS = 3_000;
const noHits: Hit[] = [];

/** Searches all readable pages for the text in the reader state. */
export function useFindInDocument({ id, viewer, layout, store }: Reader): Find {
  const wd = useStore(store, (state) => state.wd);
  const hitIndex = useStore(store, (state) => state.hit?.index ?? -1);
  const hitRequest = useStore(store, (state) => state.hitRequest);
  const needle = useMemo(() => normalizeWithOffsets(wd).text, [wd]);
  const { data, isError } = useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(readingApi.find, { id, wd }), viewer, layout.readable],
    queryFn: (context) => pollEndpoint(readingApi.find, { id, wd }, context),
    enabled: needle !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.pending ? POLL_INTERVAL_MS : false),
  });
  return useMemo(() => {
    if (needle === '') return emptyFind;
    const hits = data?.page ?? noHits;
    const status = isError ? 'failed' : !data ? 'looking' : data.pending ? 'unready' : 'found';
    const total = data?.total ?? 0;
    const hit = locateHit(hits, hitIndex);
    const active = hit && { ...hit, hitRequest };
    return { wd, needle, hits, total, status, hitIndex, active };
  }, [wd, needle, data, isError, hitIndex, hitRequest]);
}

export function locateHit(hits: Hit[], hitIndex: number): ActiveHit | null {
  let before = 0;
  for (const { page, count } of hits) {
    if (hitIndex >= before && hitIndex < before + count) return { page, index: hitIndex - before };
    before += count;
  }
  return null;
}

/** Number of the first hit on this page or after it; 0 if there is none. */
export function firstHitIndexFrom(hits: Hit[], page: number): number {
  let before = 0;
  for (const hit of hits) {
    if (hit.page >= page) return before;
    before += hit.count;
  }
  return 0;
}

/** Wraps around after the last hit. */
export function showHit(reader: Reader, { hits, total }: Find, hitIndex: number) {
  if (total === 0) return;
  const next = (hitIndex + total) % total;
  reader.store.dispatch({ type: 'hitRequested', index: next });
  const hit = locateHit(hits, next);
  if (!hit) return;
  const { current: view } = reader.view;
  if (view?.showHit) view.showHit(hit);
  else goToPage(reader, hit.page);
}

/** Starts at the current page if no hit is active. */
export function showAdjacentHit(reader: Reader, find: Find, direction: 1 | -1) {
  const { page } = reader.store.getState();
  if (find.hitIndex >= 0) return showHit(reader, find, find.hitIndex + direction);
  const first = firstHitIndexFrom(find.hits, page);
  showHit(reader, find, direction > 0 ? first : first - 1);
}

import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useMemo } from 'react';
import { useStore } from 'zustand';
import { normalizeWithOffsets } from '#modules/text/match-text.contract.ts';
import { keyOf, poll } from '#platform/web/api.ts';
import { readingApi } from '../reading.contract.ts';
import { goToPage, type Hit, type Reader } from './reader-store.ts';

/** Among the hits of one page the first is 0. */
export type ActiveHit = { page: number; index: number };
/** Another one, also when the same hit is asked for once more. */
type AskedHit = ActiveHit & { asked: number };
export type Find = {
  wd: string;
  /** What is looked for, made comparable; empty for nothing. */
  needle: string;
  hits: Hit[];
  total: number;
  status: 'idle' | 'looking' | 'found' | 'unready' | 'failed';
  at: number;
  active: AskedHit | null;
};

const nothing: Find = {
  wd: '',
  needle: '',
  hits: [],
  total: 0,
  status: 'idle',
  at: -1,
  active: null,
};
export const FindContext = createContext<Find>(nothing);
export const useFind = () => useContext(FindContext);

const UNREADY_MS = 3_000;
const none: Hit[] = [];

/** Looks for the words of the reader's state in all pages that may be read. */
export function useFindInDocument({ id, viewer, layout, store }: Reader): Find {
  const wd = useStore(store, (state) => state.wd);
  const at = useStore(store, (state) => state.at);
  const asked = useStore(store, (state) => state.asked);
  const needle = useMemo(() => normalizeWithOffsets(wd).text, [wd]);
  const { data, isError } = useQuery({
    queryKey: [...keyOf(readingApi.find, { id, wd }), viewer, layout.readable],
    queryFn: (context) => poll(readingApi.find, { id, wd }, context),
    enabled: needle !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.pending ? UNREADY_MS : false),
  });
  return useMemo(() => {
    if (needle === '') return nothing;
    const hits = data?.page ?? none;
    const status = isError ? 'failed' : !data ? 'looking' : data.pending ? 'unready' : 'found';
    const total = data?.total ?? 0;
    const hit = hitAt(hits, at);
    const active = hit && { ...hit, asked };
    return { wd, needle, hits, total, status, at, active };
  }, [wd, needle, data, isError, at, asked]);
}

export function hitAt(hits: Hit[], at: number): ActiveHit | null {
  let before = 0;
  for (const { page, count } of hits) {
    if (at >= before && at < before + count) return { page, index: at - before };
    before += count;
  }
  return null;
}

/** The number, among all, of the first hit on this page or behind it; the very first if there is none. */
export function firstFrom(hits: Hit[], page: number): number {
  let before = 0;
  for (const hit of hits) {
    if (hit.page >= page) return before;
    before += hit.count;
  }
  return 0;
}

/** Shows that hit; beyond the last one it begins anew. */
export function showHit(reader: Reader, { hits, total }: Find, at: number) {
  if (total === 0) return;
  const next = (at + total) % total;
  reader.store.setState(({ asked }) => ({ at: next, isHitWanted: true, asked: asked + 1 }));
  const hit = hitAt(hits, next);
  if (!hit) return;
  const { current: view } = reader.view;
  if (view?.showHit) view.showHit(hit);
  else goToPage(reader, hit.page);
}

/** From the page being read on, or to the one before. */
export function stepHit(reader: Reader, find: Find, direction: 1 | -1) {
  const { page } = reader.store.getState();
  if (find.at >= 0) return showHit(reader, find, find.at + direction);
  const first = firstFrom(find.hits, page);
  showHit(reader, find, direction > 0 ? first : first - 1);
}

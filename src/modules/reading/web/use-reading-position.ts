import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useUser } from '#modules/account/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { persisted } from '#platform/web/storage.ts';
import { positionApi, WHOLE_PAGE } from '../position.contract.ts';
import type { Place } from './reader-store.ts';

const PAUSE_MS = 2_000;
const KEPT = 50;

type Kept = Place & { read_at: string };

/** Where a visitor stopped, by document; the latest ones. */
const usePlaces = create<{ places: Record<string, Kept> }>()(persist(() => ({ places: {} }), persisted('reading')));

function keepHere(id: number, place: Kept): void {
  const others = Object.entries(usePlaces.getState().places).filter(([key]) => key !== String(id));
  const latest = others.sort(([, a], [, b]) => (a.read_at < b.read_at ? 1 : -1)).slice(0, KEPT - 1);
  usePlaces.setState({ places: { ...Object.fromEntries(latest), [id]: place } });
}

/**
 * Where the reader stopped last and how to tell where they are now. `start` is null until it is known
 * (`isReady`) and when the document is new to them; it stays the same while one reads. Users have
 * their place on every device, visitors on this one. `isOff`: nothing is remembered.
 */
export function useReadingPosition(
  documentId: number,
  { isOff = false } = {},
): {
  isReady: boolean;
  start: Place | null;
  report: (page: number, offset: number) => void;
} {
  const user = useUser();
  const viewer = isOff ? 0 : (user?.id ?? 0);
  const hydrated = useHydrated();
  const asked = hydrated && viewer > 0;
  const found = useQuery({
    queryKey: [...keyOf(positionApi.get, { id: documentId }), viewer],
    queryFn: ({ signal }) => call(positionApi.get, { id: documentId }, { signal }),
    enabled: asked,
    // Asked once for each time the document is opened: reading on must not move the start.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  // Not known is not new: what could not be read must not be overwritten.
  const isReady = hydrated && !isOff && (!asked || found.isSuccess);
  const stored = found.data;
  const start = useMemo(() => {
    const here = usePlaces.getState().places[documentId];
    const there = stored?.read_at ? { ...stored, read_at: stored.read_at } : undefined;
    // Read here as a visitor after the last time elsewhere.
    const later = here && there && here.read_at > there.read_at ? here : (there ?? here);
    return isReady && later ? { page: later.page, offset: later.offset / WHOLE_PAGE } : null;
  }, [documentId, isReady, stored]);

  const latest = useRef<Kept | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useCallback(
    (keepalive = false) => {
      clearTimeout(timer.current);
      const place = latest.current;
      latest.current = null;
      if (!place) return;
      if (viewer === 0) return keepHere(documentId, place);
      call(positionApi.put, { id: documentId, ...place }, { keepalive }).catch(() => {
        // Not reached: it goes with the next one, unless there is a newer one already.
        latest.current ??= place;
      });
    },
    [documentId, viewer],
  );
  const report = useCallback(
    (page: number, offset: number) => {
      if (!isReady) return;
      const down = Math.round(Math.min(1, Math.max(0, offset)) * WHOLE_PAGE);
      latest.current = { page, offset: down, read_at: new Date().toISOString() };
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, PAUSE_MS);
    },
    [isReady, flush],
  );
  useEffect(() => {
    const leave = () => flush(true);
    const hide = () => document.visibilityState === 'hidden' && flush(true);
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, [flush]);
  return { isReady, start, report };
}

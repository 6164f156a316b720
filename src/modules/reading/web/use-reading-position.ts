import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useUser } from '#modules/account/web/session-store.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { localStorageOptions } from '#platform/web/browser-storage.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { MAX_PAGE_OFFSET, positionApi } from '../position.contract.ts';
import type { ReadingPosition } from './reader-store.ts';

const REPORT_DELAY_MS = 2_000;
const MAX_STORED_POSITIONS = 50;

type StoredPosition = ReadingPosition & { read_at: string };

/** Positions of visitors by document id, in the browser's storage. */
const useLocalPositions = create<{ places: Record<string, StoredPosition> }>()(
  persist(() => ({ places: {} }), localStorageOptions('reading')),
);

function storePositionLocally(id: number, position: StoredPosition): void {
  const otherPlaces = Object.entries(useLocalPositions.getState().places).filter(([key]) => key !== String(id));
  const latestOthers = otherPlaces
    .sort(([, a], [, b]) => (a.read_at < b.read_at ? 1 : -1))
    .slice(0, MAX_STORED_POSITIONS - 1);
  useLocalPositions.setState({ places: { ...Object.fromEntries(latestOthers), [id]: position } });
}

/**
 * Loads the last position and reports new ones. `start` is null until it is loaded (`isReady`) and for a document read
 * for the first time; it does not change while reading. Positions of members are stored on the server, those of
 * visitors on this device. `isOff`: nothing is stored.
 */
export function useReadingPosition(
  documentId: number,
  { isOff = false } = {},
): {
  isReady: boolean;
  start: ReadingPosition | null;
  report: (page: number, offset: number) => void;
} {
  const user = useUser();
  const viewer = isOff ? 0 : (user?.id ?? 0);
  const isHydrated = useHydrated();
  const isMember = isHydrated && viewer > 0;
  const query = useQuery({
    queryKey: [...queryKeyOf(positionApi.get, { id: documentId }), viewer],
    queryFn: ({ signal }) => callEndpoint(positionApi.get, { id: documentId }, { signal }),
    enabled: isMember,
    // Loaded once per opening: reading on must not move the start.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  // A position that could not be loaded must not be overwritten.
  const isReady = isHydrated && !isOff && (!isMember || query.isSuccess);
  const start = useStartPosition(documentId, query.data, isReady);
  const report = usePositionReports(documentId, { viewer, isEnabled: isReady });
  return { isReady, start, report };
}

/** The later one of the positions on the server and on this device, where the user may have read as a visitor. */
function useStartPosition(
  documentId: number,
  storedPosition: OutputOf<typeof positionApi.get> | undefined,
  isReady: boolean,
): ReadingPosition | null {
  return useMemo(() => {
    const localPosition = useLocalPositions.getState().places[documentId];
    const serverPosition = storedPosition?.read_at ? { ...storedPosition, read_at: storedPosition.read_at } : undefined;
    const latestPosition =
      localPosition && serverPosition && localPosition.read_at > serverPosition.read_at
        ? localPosition
        : (serverPosition ?? localPosition);
    return isReady && latestPosition
      ? { page: latestPosition.page, offset: latestPosition.offset / MAX_PAGE_OFFSET }
      : null;
  }, [documentId, isReady, storedPosition]);
}

/** Returns a function that stores a position after a pause, or when the reader leaves. Viewer 0 is a visitor. */
function usePositionReports(documentId: number, { viewer, isEnabled }: { viewer: number; isEnabled: boolean }) {
  const unsentPosition = useRef<StoredPosition | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flush = useCallback(
    (keepalive = false) => {
      clearTimeout(timer.current);
      const position = unsentPosition.current;
      unsentPosition.current = null;
      if (!position) return;
      if (viewer === 0) return storePositionLocally(documentId, position);
      callEndpoint(positionApi.put, { id: documentId, ...position }, { keepalive }).catch(() => {
        // Sent with the next report, unless a newer position exists already.
        unsentPosition.current ??= position;
      });
    },
    [documentId, viewer],
  );
  const report = useCallback(
    (page: number, offset: number) => {
      if (!isEnabled) return;
      const pageOffset = Math.round(Math.min(1, Math.max(0, offset)) * MAX_PAGE_OFFSET);
      unsentPosition.current = { page, offset: pageOffset, read_at: new Date().toISOString() };
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, REPORT_DELAY_MS);
    },
    [isEnabled, flush],
  );
  useEffect(() => {
    const onLeave = () => flush(true);
    const onHide = () => document.visibilityState === 'hidden' && flush(true);
    window.addEventListener('pagehide', onLeave);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('pagehide', onLeave);
      document.removeEventListener('visibilitychange', onHide);
      onLeave();
    };
  }, [flush]);
  return report;
}

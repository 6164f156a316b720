import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { readingApi } from '../reading.contract.ts';
import type { Zoom } from './paged/zoom.ts';
import { initialReaderState, type ReaderEvent, type ReaderState, reduceReaderState } from './reader-state.ts';

export type ReaderLayout = OutputOf<typeof readingApi.layout>;
export type Reading = OutputOf<typeof readingApi.pages>;
export type Hit = { page: number; count: number; snippet: string };

/** `offset` is a share of the page height, 0 to 1. */
export type ReadingPosition = { page: number; offset: number };

/** Implemented by each view for the bars and panels. */
type ReaderView = {
  /** `offset` is a share of the page height. */
  goTo: (page: number, offset?: number) => void;
  /** Zooms around the center of the window, if the view supports it. */
  zoomTo?: (zoom: Zoom) => void;
  /** The first page `rows` rows of pages after `page`; if missing, each row has one page. */
  pageAtRowDistance?: (page: number, rows: number) => number;
  /** Shows the `index`th hit of a page; if missing, the page is shown. */
  showHit?: (hit: { page: number; index: number }) => void;
};

/** Only events change the state. */
export type ReaderStore = Pick<StoreApi<ReaderState>, 'getState' | 'getInitialState' | 'subscribe'> & {
  dispatch: (event: ReaderEvent) => void;
};

export function createReaderStore(initial: Pick<ReaderState, 'page' | 'wd'>): ReaderStore {
  const { setState, ...store } = createStore<ReaderState>()(() => initialReaderState(initial));
  return { ...store, dispatch: (event) => setState((state) => reduceReaderState(state, event)) };
}

export type Reader = {
  id: number;
  title: string;
  /** User id, 0 for a visitor; decides how many pages are readable. */
  viewer: number;
  layout: ReaderLayout;
  /** Server-rendered pages. */
  first: Reading;
  /** Shown in a frame on another site. */
  isEmbedded: boolean;
  store: ReaderStore;
  /** Set by the current view. `pendingPosition`: requested before the code of the view was loaded. */
  view: { current: ReaderView | null; pendingPosition?: ReadingPosition | null };
  /** Called with each new reading position. */
  report: (page: number, offset: number) => void;
  /** Current position in a reflowable text. */
  position: { current: ReadingPosition | null };
};

export const ReaderContext = createContext<Reader | null>(null);

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error('useReader must be used inside ReaderContext');
  return reader;
}

export const useReaderState = <T>(select: (state: ReaderState) => T): T => useStore(useReader().store, select);

/** Element id of the notice after the last readable page. */
export const BEYOND_PREVIEW_ID = 'beyond-preview';

/** For a page beyond the preview, scrolls to the end of the readable pages. */
export function goToPage({ layout, view }: Reader, page: number, offset = 0) {
  const { readable, pages } = layout;
  if (!view.current) {
    view.pendingPosition = { page, offset };
    return;
  }
  if (page <= readable || readable >= pages) return view.current.goTo(Math.max(1, Math.min(page, readable)), offset);
  view.current.goTo(readable, 1);
  document.getElementById(BEYOND_PREVIEW_ID)?.scrollIntoView({ block: 'nearest' });
}

import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { readingApi } from '../reading.contract.ts';
import type { Rotation } from './paged/page-layout.ts';

export type ReaderLayout = OutputOf<typeof readingApi.layout>;
export type Reading = OutputOf<typeof readingApi.pages>;
export type Hit = { page: number; count: number; snippet: string };
export type PanelName = 'outline' | 'thumbnails' | 'typography' | 'find';

/** Automatic, page width, whole page, or percent. */
export type Zoom = 'auto' | 'width' | 'page' | number;
export const MIN_ZOOM = 10;
export const MAX_ZOOM = 400;

export type ReaderState = {
  page: number;
  zoom: Zoom;
  /** The resulting zoom in percent. */
  percent: number;
  rotation: Rotation;
  isDouble: boolean;
  panel: PanelName | null;
  /** Hidden while the user scrolls down. */
  areBarsHidden: boolean;
  isShareOpen: boolean;
  isPrintOpen: boolean;
  /** Search text; empty if there is none. */
  wd: string;
  /** Number of the active hit over all pages; -1 for none. */
  hitIndex: number;
  /** The active hit has not been scrolled into view yet. */
  isHitScrollPending: boolean;
  /** Incremented with each request for a hit, so that requesting the same hit scrolls again. */
  hitRequest: number;
  /** Incremented with each request to open the find panel. */
  findRequest: number;
  /** The end of the last section is visible. */
  isAtEnd: boolean;
};

/** `offset` is a share of the page height, 0 to 1. */
export type ReadingPosition = { page: number; offset: number };

/** Implemented by each view for the bars and panels. */
type ReaderView = {
  /** `offset` is a share of the page height. */
  goTo: (page: number, offset?: number) => void;
  /** Zooms around the center of the window, if the view supports it. */
  zoomTo?: (zoom: Zoom) => void;
  /** The page `by` turns away; if missing, each turn is one page. */
  turn?: (page: number, by: number) => number;
  /** Shows the `index`th hit of a page; if missing, the page is shown. */
  showHit?: (hit: { page: number; index: number }) => void;
};

export const createReaderStore = (initial: Pick<ReaderState, 'page' | 'wd'>) =>
  createStore<ReaderState>()(() => ({
    zoom: 'auto',
    percent: 100,
    rotation: 0,
    isDouble: false,
    panel: null,
    areBarsHidden: false,
    isShareOpen: false,
    isPrintOpen: false,
    hitIndex: -1,
    isHitScrollPending: false,
    hitRequest: 0,
    findRequest: 0,
    isAtEnd: false,
    ...initial,
  }));

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
  store: StoreApi<ReaderState>;
  /** Set by the current view. */
  view: { current: ReaderView | null };
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
  if (page <= readable || readable >= pages) return view.current?.goTo(Math.max(1, Math.min(page, readable)), offset);
  view.current?.goTo(readable, 1);
  document.getElementById(BEYOND_PREVIEW_ID)?.scrollIntoView({ block: 'nearest' });
}

const ZOOM_STEPS = [10, 25, 33, 50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400];

export function zoomStep(percent: number, direction: 1 | -1): number {
  const next =
    direction > 0
      ? ZOOM_STEPS.find((step) => step > percent + 0.5)
      : ZOOM_STEPS.findLast((step) => step < percent - 0.5);
  return next ?? (direction > 0 ? MAX_ZOOM : MIN_ZOOM);
}

export const clampZoom = (percent: number) => Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, Math.round(percent)));

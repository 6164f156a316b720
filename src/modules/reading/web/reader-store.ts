import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { readingApi } from '../reading.contract.ts';
import type { Rotation } from './paged/page-layout.ts';

export type Layout = OutputOf<typeof readingApi.layout>;
export type Reading = OutputOf<typeof readingApi.pages>;
export type Hit = { page: number; count: number; snippet: string };
export type PanelName = 'outline' | 'thumbnails' | 'look' | 'find';

/** Automatic, the whole width, a whole page; else per cent. */
export type Zoom = 'auto' | 'width' | 'page' | number;
export const MIN_ZOOM = 10;
export const MAX_ZOOM = 400;

export type ReaderState = {
  /** The page being read. */
  page: number;
  zoom: Zoom;
  /** What the zoom comes to, in per cent. */
  percent: number;
  rotation: Rotation;
  isDouble: boolean;
  panel: PanelName | null;
  /** Bars make room for the page while one reads on. */
  areBarsHidden: boolean;
  isShared: boolean;
  isPrinted: boolean;
  /** What is looked for; empty for nothing. */
  wd: string;
  /** Which of all hits is shown; -1 before the first. */
  at: number;
  /** The hit shown is still to be brought into view. */
  isHitWanted: boolean;
  /** How often a hit was asked for: the same one again is brought into view again. */
  asked: number;
  /** How often looking for words was asked for. */
  findAsked: number;
  /** The end of a book is in sight. */
  isAtEnd: boolean;
};

/** `offset` is a part of the page's height. */
export type Place = { page: number; offset: number };

/** What every way of showing a document does for the bars and panels around it. */
type ReaderView = {
  /** Shows a page; `offset` is a part of its height. */
  goTo: (page: number, offset?: number) => void;
  /** Changes the zoom around the middle of the window; only where there is one. */
  zoomTo?: (zoom: Zoom) => void;
  /** The page so many turns from another; without it each turn is one page. */
  turn?: (page: number, by: number) => number;
  /** Shows a hit: the `index`th of its page. Without it the page is shown. */
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
    isShared: false,
    isPrinted: false,
    at: -1,
    isHitWanted: false,
    asked: 0,
    findAsked: 0,
    isAtEnd: false,
    ...initial,
  }));

export type Reader = {
  id: number;
  title: string;
  /** The account that reads, 0 for a visitor: it decides how much may be read. */
  viewer: number;
  layout: Layout;
  /** Pages that came with the document. */
  first: Reading;
  /** Only the reader, within a page of somebody else. */
  isEmbedded: boolean;
  store: StoreApi<ReaderState>;
  /** The view in use puts itself here. */
  view: { current: ReaderView | null };
  /** Called whenever another place is read. */
  report: (page: number, offset: number) => void;
  /** The place a book is read at. */
  place: { current: Place | null };
};

export const ReaderContext = createContext<Reader | null>(null);

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error('used outside of a reader');
  return reader;
}

export const useReaderState = <T>(select: (state: ReaderState) => T): T => useStore(useReader().store, select);

/** What stands behind the last page that may be read, where there are more. */
export const BEYOND_PREVIEW = 'beyond-preview';

/** Goes to a page. Instead of one that may not be read, to where those that may be read end. */
export function goToPage({ layout, view }: Reader, page: number, offset = 0) {
  const { readable, pages } = layout;
  if (page <= readable || readable >= pages) return view.current?.goTo(Math.max(1, Math.min(page, readable)), offset);
  view.current?.goTo(readable, 1);
  document.getElementById(BEYOND_PREVIEW)?.scrollIntoView({ block: 'nearest' });
}

const STEPS = [10, 25, 33, 50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400];

/** The next step of the zoom, from whatever it is now. */
export function zoomStep(percent: number, direction: 1 | -1): number {
  const next =
    direction > 0 ? STEPS.find((step) => step > percent + 0.5) : STEPS.findLast((step) => step < percent - 0.5);
  return next ?? (direction > 0 ? MAX_ZOOM : MIN_ZOOM);
}

export const clampZoom = (percent: number) => Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, Math.round(percent)));

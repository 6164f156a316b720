import type { Rotation } from './paged/page-layout.ts';
import type { Zoom } from './paged/zoom.ts';

/** Panels for moving through the document; one button opens and closes them. */
type NavigationPanel = 'outline' | 'thumbnails';
export type PanelName = NavigationPanel | 'typography' | 'find';
export type DialogName = 'share' | 'print' | 'more';

export type ReaderState = {
  page: number;
  /** The end of the last section is visible. */
  isAtEnd: boolean;
  zoom: Zoom;
  /** The resulting zoom in percent. */
  percent: number;
  rotation: Rotation;
  isDouble: boolean;
  panel: PanelName | null;
  dialog: DialogName | null;
  /** Hidden while the user scrolls down. */
  areBarsHidden: boolean;
  /** Search text; empty if there is none. */
  wd: string;
  /** The active hit: its number over all pages, and whether it still has to be scrolled into view. */
  hit: { index: number; isScrollPending: boolean } | null;
  /** Incremented with each request for a hit, so that requesting the same hit scrolls again. */
  hitRequest: number;
  /** Incremented with each request to type a search text. */
  findRequest: number;
};

export type ReaderEvent =
  | { type: 'pageReached'; page: number }
  | { type: 'endReached' }
  | { type: 'endLeft' }
  | { type: 'zoomChanged'; zoom: Zoom }
  | { type: 'zoomMeasured'; percent: number }
  | { type: 'rotated' }
  | { type: 'doublePagesToggled' }
  | { type: 'navigationToggled'; panel: NavigationPanel }
  | { type: 'panelToggled'; panel: PanelName }
  | { type: 'panelOpened'; panel: PanelName }
  | { type: 'panelClosed' }
  | { type: 'dialogOpened'; dialog: DialogName }
  | { type: 'dialogClosed'; dialog: DialogName }
  | { type: 'barsHidden' }
  | { type: 'barsShown' }
  | { type: 'findRequested' }
  | { type: 'findTextChanged'; wd: string }
  | { type: 'findEnded' }
  | { type: 'hitRequested'; index: number }
  | { type: 'hitScrolledIntoView' };

export const initialReaderState = (initial: Pick<ReaderState, 'page' | 'wd'>): ReaderState => ({
  isAtEnd: false,
  zoom: 'auto',
  percent: 100,
  rotation: 0,
  isDouble: false,
  panel: null,
  dialog: null,
  areBarsHidden: false,
  hit: null,
  hitRequest: 0,
  findRequest: 0,
  ...initial,
});

const nextRotation = { 0: 90, 90: 180, 180: 270, 270: 0 } as const;

function changesBy(state: ReaderState, event: ReaderEvent): Partial<ReaderState> {
  switch (event.type) {
    case 'pageReached':
      return { page: event.page };
    case 'endReached':
      return { isAtEnd: true };
    case 'endLeft':
      return { isAtEnd: false };
    case 'zoomChanged':
      return { zoom: event.zoom };
    case 'zoomMeasured':
      return { percent: event.percent };
    case 'rotated':
      return { rotation: nextRotation[state.rotation] };
    case 'doublePagesToggled':
      return { isDouble: !state.isDouble };
    case 'navigationToggled':
      return { panel: state.panel === 'outline' || state.panel === 'thumbnails' ? null : event.panel };
    case 'panelToggled':
      return { panel: state.panel === event.panel ? null : event.panel };
    case 'panelOpened':
      return { panel: event.panel };
    case 'panelClosed':
      return { panel: null };
    case 'dialogOpened':
      return { dialog: event.dialog };
    case 'dialogClosed':
      // The dialog may have been replaced by another one.
      return state.dialog === event.dialog ? { dialog: null } : {};
    case 'barsHidden':
      return { areBarsHidden: true };
    case 'barsShown':
      return { areBarsHidden: false };
    case 'findRequested':
      return { panel: 'find', areBarsHidden: false, findRequest: state.findRequest + 1 };
    case 'findTextChanged':
      return { wd: event.wd, hit: null };
    case 'findEnded':
      return { wd: '', hit: null, panel: state.panel === 'find' ? null : state.panel };
    case 'hitRequested':
      if (state.wd === '') return {};
      return { hit: { index: event.index, isScrollPending: true }, hitRequest: state.hitRequest + 1 };
    case 'hitScrolledIntoView':
      return state.hit?.isScrollPending ? { hit: { index: state.hit.index, isScrollPending: false } } : {};
  }
}

/** Returns the same object if the event changes nothing, so that subscribers are not called. */
export function reduceReaderState(state: ReaderState, event: ReaderEvent): ReaderState {
  const changes = changesBy(state, event);
  const keys = Object.keys(changes) as (keyof ReaderState)[];
  return keys.some((key) => changes[key] !== state[key]) ? { ...state, ...changes } : state;
}

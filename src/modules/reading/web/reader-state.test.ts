import { describe, expect, test } from 'vitest';
import { initialReaderState, type ReaderEvent, type ReaderState, reduceReaderState } from './reader-state.ts';

const initial = initialReaderState({ page: 1, wd: '' });
type Fields = Partial<ReaderState>;

/** State fields before the event, the event, and the fields that differ after it. */
const transitions: [Fields, ReaderEvent, Fields][] = [
  [{}, { type: 'pageReached', page: 7 }, { page: 7 }],
  [{ page: 7 }, { type: 'pageReached', page: 7 }, {}],
  [{}, { type: 'endReached' }, { isAtEnd: true }],
  [{ isAtEnd: true }, { type: 'endLeft' }, { isAtEnd: false }],
  [{}, { type: 'zoomChanged', zoom: 'page' }, { zoom: 'page' }],
  [{ zoom: 'page' }, { type: 'zoomMeasured', percent: 80 }, { percent: 80 }],
  [{ rotation: 180 }, { type: 'rotated' }, { rotation: 270 }],
  [{ rotation: 270 }, { type: 'rotated' }, { rotation: 0 }],
  [{}, { type: 'doublePagesToggled' }, { isDouble: true }],
  [{ isDouble: true }, { type: 'doublePagesToggled' }, { isDouble: false }],

  [{}, { type: 'navigationToggled', panel: 'outline' }, { panel: 'outline' }],
  [{ panel: 'find' }, { type: 'navigationToggled', panel: 'thumbnails' }, { panel: 'thumbnails' }],
  [{ panel: 'outline' }, { type: 'navigationToggled', panel: 'outline' }, { panel: null }],
  [{ panel: 'thumbnails' }, { type: 'navigationToggled', panel: 'outline' }, { panel: null }],
  [{}, { type: 'panelToggled', panel: 'find' }, { panel: 'find' }],
  [{ panel: 'find' }, { type: 'panelToggled', panel: 'find' }, { panel: null }],
  [{ panel: 'outline' }, { type: 'panelToggled', panel: 'typography' }, { panel: 'typography' }],
  [{ panel: 'outline' }, { type: 'panelOpened', panel: 'thumbnails' }, { panel: 'thumbnails' }],
  [{ panel: 'outline' }, { type: 'panelClosed' }, { panel: null }],
  [{ panel: 'find', wd: '豆' }, { type: 'panelClosed' }, { panel: null }],
  [{}, { type: 'panelClosed' }, {}],

  [{ panel: 'outline' }, { type: 'dialogOpened', dialog: 'share' }, { dialog: 'share' }],
  [{ dialog: 'more' }, { type: 'dialogOpened', dialog: 'print' }, { dialog: 'print' }],
  [{ dialog: 'print' }, { type: 'dialogClosed', dialog: 'print' }, { dialog: null }],
  [{ dialog: 'share' }, { type: 'dialogClosed', dialog: 'more' }, {}],

  [{}, { type: 'barsHidden' }, { areBarsHidden: true }],
  [{ areBarsHidden: true }, { type: 'barsHidden' }, {}],
  [{ areBarsHidden: true }, { type: 'barsShown' }, { areBarsHidden: false }],

  [{ areBarsHidden: true }, { type: 'findRequested' }, { panel: 'find', areBarsHidden: false, findRequest: 1 }],
  [{ panel: 'find', findRequest: 1 }, { type: 'findRequested' }, { findRequest: 2 }],
  [{}, { type: 'findTextChanged', wd: '豆' }, { wd: '豆' }],
  [
    { wd: '豆', hit: { index: 4, isScrollPending: false }, hitRequest: 9 },
    { type: 'findTextChanged', wd: '库' },
    { wd: '库', hit: null },
  ],
  [
    { panel: 'find', wd: '豆', hit: { index: 4, isScrollPending: true } },
    { type: 'findEnded' },
    { panel: null, wd: '', hit: null },
  ],
  [{ panel: 'outline', wd: '豆' }, { type: 'findEnded' }, { wd: '' }],
  [{ wd: '豆' }, { type: 'hitRequested', index: 3 }, { hit: { index: 3, isScrollPending: true }, hitRequest: 1 }],
  [
    { wd: '豆', hit: { index: 3, isScrollPending: false }, hitRequest: 1 },
    { type: 'hitRequested', index: 3 },
    { hit: { index: 3, isScrollPending: true }, hitRequest: 2 },
  ],
  [{}, { type: 'hitRequested', index: 3 }, {}],
  [
    { wd: '豆', hit: { index: 3, isScrollPending: true } },
    { type: 'hitScrolledIntoView' },
    { hit: { index: 3, isScrollPending: false } },
  ],
  [{ wd: '豆', hit: { index: 3, isScrollPending: false } }, { type: 'hitScrolledIntoView' }, {}],
  [{ wd: '豆' }, { type: 'hitScrolledIntoView' }, {}],
];

describe('reduceReaderState', () => {
  test.each(transitions)('in %j changes on %j the fields %j', (fields, event, changes) => {
    const before = { ...initial, ...fields };
    const after = reduceReaderState(before, event);
    expect(after).toEqual({ ...before, ...changes });
    // The same object tells subscribers that nothing changed.
    expect(after === before).toBe(Object.keys(changes).length === 0);
  });
});

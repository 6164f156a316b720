import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ReadingWord } from '../../reading.contract.ts';
import { createReaderStore, type Reader, ReaderContext } from '../reader-store.ts';
import { FindContext } from '../use-find-in-document.ts';
import { HitMarks } from './hit-marks.tsx';

const lines: ReadingWord[][] = [[['needle', 100, 100, 60, 20]]];

function renderMarks(hitRequest: number) {
  const store = createReaderStore({ page: 3, wd: 'needle' });
  for (const index of [0, 1]) store.dispatch({ type: 'hitRequested', index });
  const reader: Partial<Reader> = { store };
  const find = {
    wd: 'needle',
    needle: 'needle',
    hits: [{ page: 3, count: 1, snippet: '' }],
    total: 1,
    status: 'found' as const,
    hitIndex: 0,
    active: { page: 3, index: 0, hitRequest },
  };
  const scrollIntoView = vi.fn();
  Element.prototype.scrollIntoView = scrollIntoView;
  render(
    <ReaderContext value={reader as Reader}>
      <FindContext value={find}>
        <HitMarks page={3} lines={lines} />
      </FindContext>
    </ReaderContext>,
  );
  return { scrollIntoView, store };
}

test('the mark of the last requested hit is scrolled into view once', () => {
  const { scrollIntoView, store } = renderMarks(2);
  expect(scrollIntoView).toHaveBeenCalledOnce();
  expect(store.getState().hit?.isScrollPending).toBe(false);
});

test('a mark that is rendered after another hit was requested is not scrolled into view', () => {
  const { scrollIntoView, store } = renderMarks(1);
  expect(scrollIntoView).not.toHaveBeenCalled();
  expect(store.getState().hit?.isScrollPending).toBe(true);
});

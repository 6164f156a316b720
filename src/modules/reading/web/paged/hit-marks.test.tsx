import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { ReadingWord } from '../../reading.contract.ts';
import { FindContext } from '../find.ts';
import { createReaderStore, type Reader, ReaderContext } from '../reader-store.ts';
import { HitMarks } from './hit-marks.tsx';

const lines: ReadingWord[][] = [[['needle', 100, 100, 60, 20]]];

/** A reader who has asked twice for a hit; the marks are those of the request number `asked`. */
function renderMarks(asked: number) {
  const store = createReaderStore({ page: 3, wd: 'needle' });
  store.setState({ at: 1, asked: 2, isHitWanted: true });
  const reader: Partial<Reader> = { store };
  const find = {
    wd: 'needle',
    needle: 'needle',
    hits: [{ page: 3, count: 1, snippet: '' }],
    total: 1,
    status: 'found' as const,
    at: 0,
    active: { page: 3, index: 0, asked },
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

test('the mark of the hit that was asked for last is scrolled into view once', () => {
  const { scrollIntoView, store } = renderMarks(2);
  expect(scrollIntoView).toHaveBeenCalledOnce();
  expect(store.getState().isHitWanted).toBe(false);
});

test('a mark that is rendered after the reader has asked for another hit is not scrolled into view', () => {
  const { scrollIntoView, store } = renderMarks(1);
  expect(scrollIntoView).not.toHaveBeenCalled();
  expect(store.getState().isHitWanted).toBe(true);
});

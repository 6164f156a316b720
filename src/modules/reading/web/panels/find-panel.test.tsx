import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { readingApi } from '../../reading.contract.ts';
import { createReaderStore, type Reader, ReaderContext } from '../reader-store.ts';
import { FindContext, useFindInDocument } from '../use-find-in-document.ts';
import { FindPanel } from './find-panel.tsx';

function FindPanelWithResults({ reader }: { reader: Reader }) {
  return (
    <ReaderContext value={reader}>
      <FindContext value={useFindInDocument(reader)}>
        <FindPanel />
      </FindContext>
    </ReaderContext>
  );
}

it('the find panel shows 正在查找 for at least 200 ms when the result arrives immediately', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const reader: Partial<Reader> = {
      id: 12,
      viewer: 0,
      layout: fillZeroValues(readingApi.layout.output, { pages: 3, readable: 3, ready_pages: 3 }),
      store: createReaderStore({ page: 1, wd: '合同' }),
      view: { current: null },
    };
    renderPage(<FindPanelWithResults reader={reader as Reader} />, {
      replies: [
        replyTo(
          readingApi.find,
          fillZeroValues(readingApi.find.output, { total: 2, page: [{ page: 2, count: 2, snippet: '合同' }] }),
        ),
      ],
    });
    await act(() => vi.advanceTimersByTimeAsync(190));
    screen.getByText('正在查找');
    await act(() => vi.advanceTimersByTimeAsync(60));
    screen.getByText('共 2 处，在 1 页上');
    expect(screen.queryByText('正在查找')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

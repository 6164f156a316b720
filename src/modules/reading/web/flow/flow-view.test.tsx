import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { readingApi } from '../../reading.contract.ts';
import { createReaderStore, type Reader, ReaderContext } from '../reader-store.ts';
import { FindContext } from '../use-find-in-document.ts';
import { FlowView } from './flow-view.tsx';

const noFind = { wd: '', needle: '', hits: [], total: 0, status: 'idle' as const, hitIndex: -1, active: null };
const pages = (count: number) =>
  fillZeroValues(readingApi.pages.output, {
    readable: 1,
    page: Array.from({ length: count }, (_, index) => ({ page: index + 1, html: '<p>正文</p>' })),
  });

it('a text without loaded sections shows 正在加载 for at least 200 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const reader: Partial<Reader> = {
      id: 12,
      viewer: 0,
      layout: fillZeroValues(readingApi.layout.output, { pages: 1, readable: 1, ready_pages: 1 }),
      first: pages(0),
      store: createReaderStore({ page: 1, wd: '' }),
      view: { current: null },
      position: { current: null },
      report: () => {},
    };
    renderPage(
      <ReaderContext value={reader as Reader}>
        <FindContext value={noFind}>
          <FlowView />
        </FindContext>
      </ReaderContext>,
      { replies: [replyTo(readingApi.pages, pages(1))] },
    );
    await act(() => vi.advanceTimersByTimeAsync(190));
    screen.getByText('正在加载');
    await act(() => vi.advanceTimersByTimeAsync(60));
    screen.getByText('正文');
    expect(screen.queryByText('正在加载')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

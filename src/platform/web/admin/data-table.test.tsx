import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { DataTable, type ListResult } from './data-table.tsx';

const rows = [{ id: 1 }];
const columns = [{ title: '编号', dataIndex: 'id' }];
const list = (result: Partial<ListResult>) => (
  <DataTable
    rows={rows}
    columns={columns}
    result={{ data: { total: 1 }, isFetching: false, error: null, refetch: () => {}, ...result }}
  />
);
const isLoading = (container: HTMLElement) => container.querySelector('.ant-spin-spinning') !== null;

it('a table shows its loading state for at least 200 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { container, rerender } = render(list({ isFetching: true }));
    expect(isLoading(container)).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(50));
    rerender(list({}));
    await act(() => vi.advanceTimersByTimeAsync(149));
    expect(isLoading(container)).toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(isLoading(container)).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it('a table that is not loading shows its rows without a loading state', () => {
  const { container } = render(list({}));
  expect(container.querySelector('[data-row-key="1"]')).not.toBeNull();
  expect(isLoading(container)).toBe(false);
});

it('a table says that it is empty only after its rows are loaded', () => {
  const tableOf = (rows: { id: number }[] | undefined) => (
    <DataTable
      rows={rows}
      columns={columns}
      emptyText="还没有文档"
      result={{ data: undefined, isFetching: false, error: null, refetch: () => {} }}
    />
  );
  const { container, rerender } = render(tableOf(undefined));
  expect(container.textContent).not.toContain('还没有文档');
  rerender(tableOf([]));
  expect(container.textContent).toContain('还没有文档');
});

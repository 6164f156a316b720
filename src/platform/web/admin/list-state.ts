import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

const PAGE_SIZES = [10, 20, 50, 100];
const RESERVED_PARAMS = ['page', 'size', 'order'];

export type ListState = {
  /** Downloads the rows of all pages; undefined for lists without export. */
  downloadCsv?: () => Promise<{ name: string; content: Blob }>;
  page: number;
  size: number;
  order: string | undefined;
  /** Values of each filter by its name. */
  filters: Record<string, string[]>;
  change(next: {
    page?: number;
    size?: number;
    order?: string;
    filters?: Record<string, string[]>;
    /** Replaces the browser history entry instead of adding one. */
    replace?: boolean;
  }): void;
};

/** What an empty list says: with a filter there may be rows that it does not show. */
export const emptyListText = ({ filters }: Pick<ListState, 'filters'>, noun: string): string =>
  Object.keys(filters).length > 0 ? `没有符合条件的${noun}` : `还没有${noun}`;

/** Page, order and filters of a list, stored in the URL. */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => {
    const names = [...new Set(params.keys())].filter((name) => !RESERVED_PARAMS.includes(name));
    return Object.fromEntries(names.map((name) => [name, params.getAll(name)]));
  }, [params]);
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const requestedSize = Number(params.get('size'));
  const size = PAGE_SIZES.includes(requestedSize) ? requestedSize : 10;
  const order = params.get('order') ?? undefined;

  const change: ListState['change'] = useCallback(
    (next) => {
      const to = new URLSearchParams();
      for (const [name, values] of Object.entries(next.filters ?? filters))
        for (const value of values) if (value !== '') to.append(name, value);
      const nextState = { size: next.size ?? size, order: 'order' in next ? next.order : order };
      if (nextState.size !== 10) to.set('size', String(nextState.size));
      if (nextState.order) to.set('order', nextState.order);
      // Other filters or sizes start at the first page again.
      const hasSameRows = next.filters === undefined && next.size === undefined;
      const nextPage = next.page ?? (hasSameRows ? page : 1);
      if (nextPage > 1) to.set('page', String(nextPage));
      setParams(to, { replace: next.replace });
    },
    [filters, size, order, page, setParams],
  );
  return { page, size, order, filters, change };
}

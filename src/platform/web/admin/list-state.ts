import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

const PAGE_SIZES = [10, 20, 50, 100];
const known = ['page', 'size', 'order'];

export type ListState = {
  /** Has the rows, all pages of them, as a file; for lists that can be taken along. */
  takeFile?: () => Promise<{ name: string; content: Blob }>;
  page: number;
  size: number;
  order: string | undefined;
  /** What the filters say, by name; several values where the filter allows. */
  filters: Record<string, string[]>;
  change(next: {
    page?: number;
    size?: number;
    order?: string;
    filters?: Record<string, string[]>;
    /** Without a way back to how it was. */
    replace?: boolean;
  }): void;
};

/** A list's page, order and filters live in the address: they survive reload, back and sharing. */
export function useListState(): ListState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => {
    const names = [...new Set(params.keys())].filter((name) => !known.includes(name));
    return Object.fromEntries(names.map((name) => [name, params.getAll(name)]));
  }, [params]);
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1);
  const asked = Number(params.get('size'));
  const size = PAGE_SIZES.includes(asked) ? asked : 10;
  const order = params.get('order') ?? undefined;

  const change: ListState['change'] = useCallback(
    (next) => {
      const to = new URLSearchParams();
      for (const [name, values] of Object.entries(next.filters ?? filters))
        for (const value of values) if (value !== '') to.append(name, value);
      const wanted = { size: next.size ?? size, order: 'order' in next ? next.order : order };
      if (wanted.size !== 10) to.set('size', String(wanted.size));
      if (wanted.order) to.set('order', wanted.order);
      // Other rows mean another first page.
      const stays = next.filters === undefined && next.size === undefined;
      const wantedPage = next.page ?? (stays ? page : 1);
      if (wantedPage > 1) to.set('page', String(wantedPage));
      setParams(to, { replace: next.replace });
    },
    [filters, size, order, page, setParams],
  );
  return { page, size, order, filters, change };
}

import { useQuery } from '@tanstack/react-query';
import { csvPathOf, type Endpoint, type InputOf } from '#platform/contract/endpoint.ts';
import { endpointQuery, fetchFile } from '../api.ts';
import { useLastPageFallback } from '../last-page-redirect.ts';
import { type ListState, useListState } from './list-state.ts';

type Options = {
  /** For a short list that is loaded without paging. */
  unpaged?: boolean;
  /** Default order. */
  order?: string;
};

/** A list of the back-office: its state in the URL and the rows for that state. */
export function useAdminList<E extends Endpoint>(
  endpoint: E,
  /** Converts the filters to input of the endpoint. */
  toInput: (filters: ListState['filters']) => Partial<InputOf<E>> = () => ({}),
  { unpaged = false, order: defaultOrder }: Options = {},
) {
  const state = useListState();
  const { page, size, filters, change } = state;
  const filterInput = { wd: filters.wd?.[0], order: state.order ?? defaultOrder, ...toInput(filters) };
  const input = (unpaged ? filterInput : { page, size, ...filterInput }) as InputOf<E>;
  const result = useQuery(endpointQuery(endpoint, input));
  useLastPageFallback(unpaged ? undefined : readTotalAndRowCount(result.data), { page, size }, (to) =>
    change({ page: to, replace: true }),
  );
  const list: ListState = { ...state, downloadCsv: () => fetchFile(csvPathOf(endpoint), filterInput) };
  return { list, result, data: result.data };
}

/** Reads a list response: `total`, and the rows of the page in the only array property. */
function readTotalAndRowCount(data: unknown) {
  if (typeof data !== 'object' || data === null) return undefined;
  if (!('total' in data) || typeof data.total !== 'number') return undefined;
  const rows: unknown = Object.values(data).find(Array.isArray);
  return { total: data.total, count: Array.isArray(rows) ? rows.length : 0 };
}

import { useQuery } from '@tanstack/react-query';
import { csvPathOf, type Endpoint, type InputOf } from '#platform/contract/endpoint.ts';
import { fetchFile, query } from '../api.ts';
import { useLastPage } from '../last-page.ts';
import { type ListState, useListState } from './list-state.ts';

type Options = {
  /** A short list that is had without pages. */
  whole?: boolean;
  /** The order until another is chosen. */
  order?: string;
};

/** A list of the back-office: its state in the address, and the rows which that state asks for. */
export function useList<E extends Endpoint>(
  endpoint: E,
  /** The filters as the endpoint takes them. */
  askedBy: (filters: ListState['filters']) => Partial<InputOf<E>> = () => ({}),
  { whole = false, order: usual }: Options = {},
) {
  const state = useListState();
  const { page, size, filters, change } = state;
  const wanted = { wd: filters.wd?.[0], order: state.order ?? usual, ...askedBy(filters) };
  const input = (whole ? wanted : { page, size, ...wanted }) as InputOf<E>;
  const result = useQuery(query(endpoint, input));
  useLastPage(whole ? undefined : countsOf(result.data), { page, size }, (to) => change({ page: to, replace: true }));
  const list: ListState = { ...state, takeFile: () => fetchFile(csvPathOf(endpoint), wanted) };
  return { list, result, data: result.data };
}

/** As lists answer: how many there are, and those of one page under a name of their own. */
function countsOf(data: unknown) {
  if (typeof data !== 'object' || data === null) return undefined;
  if (!('total' in data) || typeof data.total !== 'number') return undefined;
  const rows: unknown = Object.values(data).find(Array.isArray);
  return { total: data.total, count: Array.isArray(rows) ? rows.length : 0 };
}

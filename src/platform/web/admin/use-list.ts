import { useQuery } from '@tanstack/react-query';
import { csvPathOf, type Endpoint, type InputOf } from '#platform/contract/endpoint.ts';
import { fetchFile, query } from '../api.ts';
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
  const { page, size, filters } = state;
  const wanted = { wd: filters.wd?.[0], order: state.order ?? usual, ...askedBy(filters) };
  const input = (whole ? wanted : { page, size, ...wanted }) as InputOf<E>;
  const result = useQuery(query(endpoint, input));
  const list: ListState = { ...state, takeFile: () => fetchFile(csvPathOf(endpoint), wanted) };
  return { list, result, data: result.data };
}

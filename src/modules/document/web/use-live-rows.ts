import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from '#platform/web/api.ts';
import { type Document, documentApi } from '../document.contract.ts';

const POLL_MS = 3_000;

type Shown = Pick<Document, 'id' | 'status' | 'pages' | 'ready_pages'>;
const coming: readonly number[] = [0, 1, 5];

/** Its pages are still being made. */
export const isUnfinished = ({ status, pages, ready_pages }: Shown): boolean =>
  coming.includes(status) || (status === 2 && ready_pages < pages);

/**
 * Rows with their state of this moment: as long as one of them is being converted it is asked again,
 * in the background and only while somebody looks.
 */
export function useLiveRows<R extends Shown & { convert_error: string }>(rows: R[]): R[] {
  const input = { id: rows.filter(isUnfinished).map(({ id }) => id) };
  const { data } = useQuery({
    queryKey: keyOf(documentApi.progress, input),
    queryFn: ({ signal }) => call(documentApi.progress, input, { signal, quiet: true }),
    enabled: input.id.length > 0,
    refetchInterval: ({ state }) =>
      !state.data || state.data.document.some(isUnfinished) ? POLL_MS : false,
  });
  const known = new Map(data?.document.map((each) => [each.id, each]));
  return rows.map((row) => {
    const now = known.get(row.id);
    if (!now) return row;
    const { status, pages, ready_pages, reason } = now;
    return { ...row, status, pages, ready_pages, convert_error: reason };
  });
}

import { useQuery } from '@tanstack/react-query';
import { useUser } from '#modules/account/web/session.ts';
import { keyOf, poll } from '#platform/web/api.ts';
import { type Document, documentApi, documentStatus } from '../document.contract.ts';
import { isOneOf, unconvertedStatuses } from '../status-groups.contract.ts';

const POLL_MS = 2_000;

type Shown = Pick<Document, 'id' | 'status' | 'pages' | 'ready_pages'>;

/** Its pages are still being made. */
export const isUnfinished = ({ status, pages, ready_pages }: Shown): boolean =>
  isOneOf(unconvertedStatuses, status) || (status === documentStatus.converted && ready_pages < pages);

/** How far conversions are: asked until all are done, in the background and only while somebody looks. */
function useProgressOf(ids: number[]) {
  const viewer = useUser()?.id ?? 0;
  const { data } = useQuery({
    // Why a conversion failed is for the owner only.
    queryKey: [...keyOf(documentApi.progress, { id: ids }), viewer],
    queryFn: (context) => poll(documentApi.progress, { id: ids }, context),
    enabled: ids.length > 0,
    refetchInterval: ({ state }) => (!state.data || state.data.document.some(isUnfinished) ? POLL_MS : false),
  });
  return data?.document ?? [];
}

/** How far the conversion of a document is; of none for 0. */
export const useProgress = (id: number) => useProgressOf(id > 0 ? [id] : [])[0];

/** Rows with their state of this moment. */
export function useLiveRows<R extends Shown & Pick<Document, 'convert_error' | 'encryption'>>(rows: R[]): R[] {
  const progress = useProgressOf(rows.filter(isUnfinished).map(({ id }) => id));
  const known = new Map(progress.map((each) => [each.id, each]));
  return rows.map((row) => {
    const now = known.get(row.id);
    if (!now) return row;
    const { reason, ...progress } = now;
    return { ...row, ...progress, convert_error: reason };
  });
}

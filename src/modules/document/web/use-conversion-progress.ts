import { useQuery } from '@tanstack/react-query';
import { useUser } from '#modules/account/web/session-store.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { type Document, documentApi, documentStatus } from '../document.contract.ts';
import { includesStatus, unconvertedStatuses } from '../status-groups.contract.ts';

const POLL_INTERVAL_MS = 2_000;

type ConversionProgress = Pick<Document, 'id' | 'status' | 'pages' | 'ready_pages'>;
type PolledProgress = OutputOf<typeof documentApi.progress>['document'][number];

/** Some pages are not rendered yet. */
export const isUnfinished = ({ status, pages, ready_pages }: ConversionProgress): boolean =>
  includesStatus(unconvertedStatuses, status) || (status === documentStatus.converted && ready_pages < pages);

/** The conversion also runs while the document waits for its review. */
const isConverting = ({ conversion_state, pages, ready_pages }: PolledProgress): boolean =>
  conversion_state === 'converted'
    ? ready_pages < pages
    : conversion_state === 'waiting' || conversion_state === 'converting' || conversion_state === 'reconverting';

/** Polls until all conversions are finished, only while the page is visible. */
function useConversionProgressOfAll(ids: number[]) {
  const viewer = useUser()?.id ?? 0;
  const { data } = useQuery({
    // Per viewer, because only the owner may see failure reasons.
    queryKey: [...queryKeyOf(documentApi.progress, { id: ids }), viewer],
    queryFn: (context) => pollEndpoint(documentApi.progress, { id: ids }, context),
    enabled: ids.length > 0,
    refetchInterval: ({ state }) =>
      !state.data?.document.every((row) => !isUnfinished(row) && !isConverting(row)) ? POLL_INTERVAL_MS : false,
  });
  return data?.document ?? [];
}

/** `id` 0 requests nothing. */
export const useConversionProgress = (id: number) => useConversionProgressOfAll(id > 0 ? [id] : [])[0];

/** Updates rows with the current conversion progress. */
export function useRowsWithLiveProgress<R extends ConversionProgress & Pick<Document, 'convert_error' | 'encryption'>>(
  rows: R[],
): R[] {
  const progress = useConversionProgressOfAll(rows.filter(isUnfinished).map(({ id }) => id));
  const progressById = new Map(progress.map((each) => [each.id, each]));
  return rows.map((row) => {
    const current = progressById.get(row.id);
    if (!current) return row;
    const { reason, ...progress } = current;
    return { ...row, ...progress, convert_error: reason };
  });
}

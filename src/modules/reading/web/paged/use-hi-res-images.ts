import { type QueryFunctionContext, useQueries } from '@tanstack/react-query';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { readingApi } from '../../reading.contract.ts';
import { useReader, useReaderState } from '../reader-store.ts';
import type { PageRange } from './use-page-data.ts';
import { FULL_WIDTH_PX } from './zoom.ts';

type HiResResponse = OutputOf<typeof readingApi.hiResPage>;

type QueryWithState = { state: { data?: HiResResponse; dataUpdateCount: number } };

const POLL_INTERVAL_MS = 800;
/** After this many polls the server is busy and is polled less often. */
const BUSY_AFTER_POLLS = 15;
const BUSY_INTERVAL_MS = 4_000;
/** The rate limit is reached, or the normal page image is not rendered yet. */
const REFUSED_INTERVAL_MS = 20_000;
/** Gives up after this many polls. */
const MAX_POLLS = 60;
/** The normal image is stretched by this factor before a larger one is requested. */
const MAX_STRETCH = 1.25;

const intervalAfter = (pollCount: number) => (pollCount < BUSY_AFTER_POLLS ? POLL_INTERVAL_MS : BUSY_INTERVAL_MS);

const urlsByPage = (results: { data?: HiResResponse & { page: number } }[]) =>
  new Map(results.flatMap(({ data }) => (data?.url ? [[data.page, data.url]] : [])));

/** URLs of high-resolution images for the current pages, once they are displayed larger than the normal images. */
export function useHiResImages(range: PageRange | null): Map<number, string> {
  const { id, viewer, layout } = useReader();
  const percent = useReaderState((state) => state.percent);
  const normalWidth = layout.sizes[0]?.width ?? 0;
  const density = typeof window === 'undefined' ? 1 : window.devicePixelRatio;
  const isStretched = (percent / 100) * FULL_WIDTH_PX * density > normalWidth * MAX_STRETCH;
  const pages =
    range && isStretched ? Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at) : [];
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: [...queryKeyOf(readingApi.hiResPage, { id, page }), viewer],
      queryFn: async (context: QueryFunctionContext) => ({
        page,
        ...(await pollEndpoint(readingApi.hiResPage, { id, page }, context)),
      }),
      staleTime: ({ state }: QueryWithState) => (state.data?.url ? 30 * 60_000 : 0),
      refetchInterval: ({ state: { data, dataUpdateCount } }: QueryWithState) =>
        !data || data.url || dataUpdateCount >= MAX_POLLS
          ? (false as const)
          : data.pending
            ? intervalAfter(dataUpdateCount)
            : REFUSED_INTERVAL_MS,
    })),
    combine: urlsByPage,
  });
}

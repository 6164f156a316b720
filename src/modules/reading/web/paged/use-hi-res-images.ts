import { type QueryFunctionContext, useQueries } from '@tanstack/react-query';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { keyOf, poll } from '#platform/web/api.ts';
import { readingApi } from '../../reading.contract.ts';
import { useReader, useReaderState } from '../reader-store.ts';
import type { PageRange } from './use-page-data.ts';
import { FULL_WIDTH } from './use-viewport.ts';

type Sharp = OutputOf<typeof readingApi.sharp>;

/** What is known of the answer to one question. */
type Asked = { state: { data?: Sharp; dataUpdateCount: number } };

const AGAIN_MS = 800;
/** After so many questions the site is busy, and asked less often. */
const BUSY_AFTER = 15;
const BUSY_MS = 4_000;
/** Too much was asked for, or the page is not there yet. */
const REFUSED_MS = 20_000;
/** Nobody waits longer for a larger picture of a page. */
const TRIES = 60;
/** The usual image is stretched by so much before a larger one is asked for. */
const STRETCHED = 1.25;

const waitAfter = (questions: number) => (questions < BUSY_AFTER ? AGAIN_MS : BUSY_MS);

const byPage = (results: { data?: Sharp & { page: number } }[]) =>
  new Map(results.flatMap(({ data }) => (data?.url ? [[data.page, data.url]] : [])));

/** Larger images of the pages being read, once they are shown larger than their usual ones. */
export function useHiResImages(range: PageRange | null): Map<number, string> {
  const { id, viewer, layout } = useReader();
  const percent = useReaderState((state) => state.percent);
  const usual = layout.sizes[0]?.width ?? 0;
  const density = typeof window === 'undefined' ? 1 : window.devicePixelRatio;
  const isStretched = (percent / 100) * FULL_WIDTH * density > usual * STRETCHED;
  const pages =
    range && isStretched ? Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at) : [];
  return useQueries({
    queries: pages.map((page) => ({
      queryKey: [...keyOf(readingApi.sharp, { id, page }), viewer],
      queryFn: async (context: QueryFunctionContext) => ({
        page,
        ...(await poll(readingApi.sharp, { id, page }, context)),
      }),
      staleTime: ({ state }: Asked) => (state.data?.url ? 30 * 60_000 : 0),
      refetchInterval: ({ state: { data, dataUpdateCount } }: Asked) =>
        !data || data.url || dataUpdateCount >= TRIES
          ? (false as const)
          : data.pending
            ? waitAfter(dataUpdateCount)
            : REFUSED_MS,
    })),
    combine: byPage,
  });
}

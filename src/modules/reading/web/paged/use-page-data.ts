import { type QueryFunctionContext, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { AppError, isTransientStatus } from '#platform/contract/errors.ts';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { settleAfterMinimumDisplay } from '#platform/web/minimum-display.ts';
import { type ReadingPage, type ReadingWords, readingApi } from '../../reading.contract.ts';
import { usePageBatchSize } from '../page-batch-size.ts';
import { type Reader, type Reading, useReader } from '../reader-store.ts';

const WORD_PAGES_PER_REQUEST = 5;
const PENDING_POLL_MS = 1_500;
const TEXT_POLL_MS = 5_000;
const RETRY_MS = 5_000;

type QueryWithState<T> = { state: { data?: T; error: unknown } };

/** Polls after temporary failures and while the data is unfinished; permanent failures are not retried. */
const pollInterval =
  <T>(unfinished: (data: T) => number | false) =>
  ({ state: { data, error } }: QueryWithState<T>): number | false =>
    error instanceof AppError && isTransientStatus(error.status) ? RETRY_MS : data !== undefined && unfinished(data);

/** Inclusive. */
export type PageRange = { first: number; last: number };

const batchStartPages = ({ first, last }: PageRange, size: number): number[] => {
  const [from, to] = [first, last].map((page) => Math.floor((page - 1) / size));
  return Array.from({ length: Math.max(0, (to ?? 0) - (from ?? 0) + 1) }, (_, at) => {
    return ((from ?? 0) + at) * size + 1;
  });
};

/** Server-rendered pages; for members only a placeholder until their own response arrives. */
const serverRenderedPages = ({ first, viewer }: Reader, page: number, size: number) => {
  // Rendered with another batch size, the pages do not fill this part.
  const isIncomplete = first.page.length < Math.min(size, first.readable - page + 1);
  if (first.page[0]?.page !== page || isIncomplete) return {};
  return viewer === 0 ? { initialData: first } : { placeholderData: first };
};

const pagesByNumber = (results: { data?: Reading }[]) =>
  new Map(results.flatMap(({ data }) => data?.page ?? []).map((each) => [each.page, each]));

/** Polls while pages are being rendered. */
export function usePageImages(
  range: PageRange,
  /** `showsLoading`: the view shows a loading state in place of missing pages. */
  { showsLoading = false }: { showsLoading?: boolean } = {},
): {
  images: Map<number, ReadingPage>;
  /** Requests new URLs: they expire after about an hour. */
  renew: (page: number) => void;
} {
  const reader = useReader();
  const { id, viewer, layout } = reader;
  const size = usePageBatchSize();
  const queries = useQueries({
    queries: batchStartPages(range, size).map((page) => ({
      queryKey: [...queryKeyOf(readingApi.pages, { id, page, size }), viewer, layout.readable],
      queryFn: (context: QueryFunctionContext) => {
        const request = pollEndpoint(readingApi.pages, { id, page, size }, context);
        return showsLoading ? settleAfterMinimumDisplay(request) : request;
      },
      staleTime: 30 * 60_000,
      refetchInterval: pollInterval((data: Reading) => data.page.some(({ pending }) => pending) && PENDING_POLL_MS),
      ...serverRenderedPages(reader, page, size),
    })),
    combine: useCallback(
      (results: { data?: Reading; refetch: () => unknown }[]) => ({
        images: pagesByNumber(results),
        refetches: results.map(({ data, refetch }) => ({ first: data?.page[0]?.page, refetch })),
      }),
      [],
    ),
  });
  const { images, refetches } = queries;
  const latest = useRef(refetches);
  useEffect(() => {
    latest.current = refetches;
  }, [refetches]);
  // Stable identity, so that memoized pages do not re-render.
  const renew = useCallback(
    (page: number) => {
      const [first] = batchStartPages({ first: page, last: page }, size);
      latest.current.find((each) => each.first === first)?.refetch();
    },
    [size],
  );
  return { images, renew };
}

const wordsByPage = (results: { data?: { page: ReadingWords[] } }[]) =>
  new Map(results.flatMap(({ data }) => data?.page ?? []).map(({ page, lines }) => [page, lines]));

export function usePageWords(range: PageRange | null): Map<number, ReadingWords['lines']> {
  const { id, viewer, layout } = useReader();
  const isComplete = layout.ready_pages >= layout.pages;
  return useQueries({
    queries: (range ? batchStartPages(range, WORD_PAGES_PER_REQUEST) : []).map((page) => ({
      queryKey: [...queryKeyOf(readingApi.words, { id, page }), viewer, layout.readable],
      queryFn: (context: QueryFunctionContext) =>
        pollEndpoint(readingApi.words, { id, page, size: WORD_PAGES_PER_REQUEST }, context),
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: pollInterval(
        (data: { page: ReadingWords[] }) => !isComplete && data.page.length === 0 && TEXT_POLL_MS,
      ),
    })),
    combine: wordsByPage,
  });
}

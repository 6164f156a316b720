import { type QueryFunctionContext, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { AppError, isPassing } from '#platform/contract/errors.ts';
import { keyOf, poll } from '#platform/web/api.ts';
import { type ReadingPage, type ReadingWords, readingApi } from '../../reading.contract.ts';
import { usePageBatchSize } from '../page-batch-size.ts';
import { type Reader, type Reading, useReader } from '../reader-store.ts';

/** Pages whose words are asked for at once. */
const WORDS_AT_ONCE = 5;
const PENDING_MS = 1_500;
const NO_TEXT_YET_MS = 5_000;
const FAILED_MS = 5_000;

type Asked<T> = { state: { data?: T; error: unknown } };

/** When to ask again: after a failure that passes, as what is refused stays refused; and while what came says so. */
const askAgain =
  <T>(unfinished: (data: T) => number | false) =>
  ({ state: { data, error } }: Asked<T>): number | false =>
    error instanceof AppError && isPassing(error.status) ? FAILED_MS : data !== undefined && unfinished(data);

/** Numbers of pages, both included. */
export type PageRange = { first: number; last: number };

const chunksOf = ({ first, last }: PageRange, size: number): number[] => {
  const [from, to] = [first, last].map((page) => Math.floor((page - 1) / size));
  return Array.from({ length: Math.max(0, (to ?? 0) - (from ?? 0) + 1) }, (_, at) => {
    return ((from ?? 0) + at) * size + 1;
  });
};

/** What came with the document; for somebody logged in only until his own answer is here. */
const known = ({ first, viewer }: Reader, page: number, size: number) => {
  // Asked for while the site had another number of pages at once, it is not all of this part.
  const isPart = first.page.length < Math.min(size, first.readable - page + 1);
  if (first.page[0]?.page !== page || isPart) return {};
  return viewer === 0 ? { initialData: first } : { placeholderData: first };
};

const joinPages = (results: { data?: Reading }[]) =>
  new Map(results.flatMap(({ data }) => data?.page ?? []).map((each) => [each.page, each]));

/** Addresses of the images of pages; asked again while some are being made. */
export function usePageImages(range: PageRange): {
  images: Map<number, ReadingPage>;
  /** An address is good for an hour or so: asks for new ones. */
  renew: (page: number) => void;
} {
  const reader = useReader();
  const { id, viewer, layout } = reader;
  const size = usePageBatchSize();
  const queries = useQueries({
    queries: chunksOf(range, size).map((page) => ({
      queryKey: [...keyOf(readingApi.pages, { id, page, size }), viewer, layout.readable],
      queryFn: (context: QueryFunctionContext) => poll(readingApi.pages, { id, page, size }, context),
      staleTime: 30 * 60_000,
      refetchInterval: askAgain((data: Reading) => data.page.some(({ pending }) => pending) && PENDING_MS),
      ...known(reader, page, size),
    })),
    combine: useCallback(
      (results: { data?: Reading; refetch: () => unknown }[]) => ({
        images: joinPages(results),
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
  // The same one always: pages are drawn anew only when something of theirs has changed.
  const renew = useCallback(
    (page: number) => {
      const [first] = chunksOf({ first: page, last: page }, size);
      latest.current.find((each) => each.first === first)?.refetch();
    },
    [size],
  );
  return { images, renew };
}

const joinWords = (results: { data?: { page: ReadingWords[] } }[]) =>
  new Map(results.flatMap(({ data }) => data?.page ?? []).map(({ page, lines }) => [page, lines]));

/** The words of pages with their boxes. */
export function usePageWords(range: PageRange | null): Map<number, ReadingWords['lines']> {
  const { id, viewer, layout } = useReader();
  const isComplete = layout.ready_pages >= layout.pages;
  return useQueries({
    queries: (range ? chunksOf(range, WORDS_AT_ONCE) : []).map((page) => ({
      queryKey: [...keyOf(readingApi.words, { id, page }), viewer, layout.readable],
      queryFn: (context: QueryFunctionContext) => poll(readingApi.words, { id, page, size: WORDS_AT_ONCE }, context),
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: askAgain(
        (data: { page: ReadingWords[] }) => !isComplete && data.page.length === 0 && NO_TEXT_YET_MS,
      ),
    })),
    combine: joinWords,
  });
}

import { useUser } from '#modules/account/web/session-store.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { searchApi } from '../search.contract.ts';
import { type SearchQuery, searchInputOf } from './search-url.ts';

export type SearchResult = OutputOf<typeof searchApi.search>;

/** Long enough that going back from a document restores the results and the scroll position. */
const CACHE_TTL_MS = 60 * 60_000;
/** Every search is recorded, so a recent one is not repeated when the window regains focus. */
const STALE_AFTER_MS = 5 * 60_000;

/**
 * Cached per viewer, because members find more than visitors; `renderedResult` is the server-rendered result for a
 * visitor.
 */
export function useSearch(query: SearchQuery, renderedResult?: SearchResult) {
  const viewer = useUser()?.id ?? 0;
  return useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(searchApi.search, query), viewer],
    queryFn: ({ signal }) => callEndpoint(searchApi.search, searchInputOf(query), { signal }),
    enabled: query.wd !== '',
    initialData: viewer === 0 ? renderedResult : undefined,
    // Keeps the previous results while only filter or page change.
    placeholderData: (previous, previousQuery) =>
      renderedResult ??
      ((previousQuery?.queryKey[2] as SearchQuery | undefined)?.wd === query.wd ? previous : undefined),
    staleTime: STALE_AFTER_MS,
    gcTime: CACHE_TTL_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

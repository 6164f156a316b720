import { useUser } from '#modules/account/web/session.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { useFetch } from '#platform/web/use-fetch.ts';
import { searchApi } from '../search.contract.ts';
import { type SearchQuery, searchInputOf } from './search-query.ts';

export type SearchResult = OutputOf<typeof searchApi.search>;

/** Going back from a long read still finds the results, and with them the place among them. */
const KEPT_MS = 60 * 60_000;
/** Every search is noted, so one that was just made is not made again by a glance at another window. */
const FRESH_MS = 5 * 60_000;

/**
 * What a search finds. Members find more than visitors, so it is kept for each viewer; `rendered` is
 * what the server drew for a visitor.
 */
export function useSearch(query: SearchQuery, rendered?: SearchResult) {
  const viewer = useUser()?.id ?? 0;
  return useFetch({
    queryKey: [...keyOf(searchApi.search, query), viewer],
    queryFn: ({ signal }) => call(searchApi.search, searchInputOf(query), { signal }),
    enabled: query.wd !== '',
    initialData: viewer === 0 ? rendered : undefined,
    // Results of another filter or page stay until the next ones are there; those of other words do not.
    placeholderData: (before, asked) =>
      rendered ?? ((asked?.queryKey[2] as SearchQuery | undefined)?.wd === query.wd ? before : undefined),
    staleTime: FRESH_MS,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: false,
    retry: false,
  });
}

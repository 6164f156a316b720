import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { useUser } from './session-store.ts';

/** A query whose answer depends on the user: the cache key contains the user id, so that users do not share answers. */
export function useQueryPerUser<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  const id = useUser()?.id ?? 0;
  return useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(endpoint, input), id],
    queryFn: ({ signal }) => callEndpoint(endpoint, input, { signal }),
    enabled: id > 0,
    // Users expect to see the change that they have just made.
    staleTime: 0,
  });
}

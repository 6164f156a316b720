import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { call, queryKeyOf } from '#platform/web/api.ts';
import { useFetch } from '#platform/web/use-fetch.ts';
import { useUser } from './session.ts';

/** An answer that depends on who asks: kept apart for each account, so that nobody sees another's. */
export function useAccountQuery<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  const id = useUser()?.id ?? 0;
  return useFetch({
    queryKey: [...queryKeyOf(endpoint, input), id],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
    enabled: id > 0,
    // People look here to see what they have just done.
    staleTime: 0,
  });
}

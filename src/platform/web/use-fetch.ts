import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMinimumDisplay } from './minimum-display.ts';

/** `useQuery` for results in whose place a fetching state is shown: that stays for at least 200 ms. */
export function useFetch<Answer = unknown, Failure = Error, Data = Answer, Key extends QueryKey = QueryKey>(
  options: UseQueryOptions<Answer, Failure, Data, Key>,
): UseQueryResult<Data, Failure> {
  return useHeldResult(useQuery(options));
}

type Result = { data: unknown; isLoading: boolean; isFetching: boolean; isError: boolean };

/** The result of a first fetch, withheld while its fetching state has been shown for less than 200 ms. */
export function useHeldResult<R extends Result>(result: R): R {
  const isShown = useMinimumDisplay(result.isLoading);
  if (!isShown || result.isLoading) return result;
  const fetching = { data: undefined, error: null, isLoading: true, isPending: true };
  return { ...result, ...fetching, isFetching: true, isError: false, isSuccess: false } as R;
}

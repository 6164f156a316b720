import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useMinimumDisplay } from './use-minimum-display.ts';

/** `useQuery` for components that show a loading state: it is displayed for at least 200 ms. */
export function useQueryWithMinimumLoading<
  Answer = unknown,
  Failure = Error,
  Data = Answer,
  Key extends QueryKey = QueryKey,
>(options: UseQueryOptions<Answer, Failure, Data, Key>): UseQueryResult<Data, Failure> {
  return useResultAfterMinimumDisplay(useQuery(options));
}

type Result = { data: unknown; isLoading: boolean; isFetching: boolean; isError: boolean };

/** Withholds the result of a first fetch until its loading state was displayed for 200 ms. */
export function useResultAfterMinimumDisplay<R extends Result>(result: R): R {
  const isLoadingDisplayed = useMinimumDisplay(result.isLoading);
  if (!isLoadingDisplayed || result.isLoading) return result;
  const loadingState = { data: undefined, error: null, isLoading: true, isPending: true };
  return { ...result, ...loadingState, isFetching: true, isError: false, isSuccess: false } as R;
}

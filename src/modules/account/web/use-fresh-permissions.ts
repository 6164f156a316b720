import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf, poll } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { myPermissionsApi } from '../permission.contract.ts';
import { setPermissions, useSession } from './session.ts';

/** Fetches the permissions of the user again at an interval and when the page gets the focus. */
export function useFreshPermissions(intervalMs: number): void {
  const token = useSession((session) => session.token);
  const hydrated = useHydrated();
  const { data } = useQuery({
    queryKey: [...keyOf(myPermissionsApi.mine, {}), token],
    queryFn: (context) => poll(myPermissionsApi.mine, {}, context),
    enabled: hydrated && token !== '',
    refetchInterval: intervalMs,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => {
    if (data) setPermissions(data.permission);
  }, [data]);
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { myPermissionsApi } from '../permission.contract.ts';
import { setPermissions, useSession } from './session-store.ts';

const QUERY_KEY = queryKeyOf(myPermissionsApi.mine, {});

/** Fetches the permissions of the user again at an interval, after a navigation and when the page gets the focus. */
export function useRefetchPermissions(intervalMs: number): void {
  const token = useSession((session) => session.token);
  const isHydrated = useHydrated();
  const { data } = useQuery({
    queryKey: [...QUERY_KEY, token],
    queryFn: (context) => pollEndpoint(myPermissionsApi.mine, {}, context),
    enabled: isHydrated && token !== '',
    refetchInterval: intervalMs,
    refetchOnWindowFocus: 'always',
  });
  useEffect(() => {
    if (data) setPermissions(data.permission);
  }, [data]);
  useRefetchOnNavigation();
}

/** The query itself notices only that the tab was hidden, not that the user came back from another window. */
function useRefetchOnNavigation(): void {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const fetchedPathname = useRef(pathname);
  useEffect(() => {
    const refetch = () => void client.refetchQueries({ queryKey: QUERY_KEY, type: 'active' }, { cancelRefetch: false });
    if (fetchedPathname.current !== pathname) refetch();
    fetchedPathname.current = pathname;
    window.addEventListener('focus', refetch);
    return () => window.removeEventListener('focus', refetch);
  }, [client, pathname]);
}

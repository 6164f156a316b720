import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

/** The page to go to when there is nothing on this one any more but something before it; else null. */
export function pageInstead(
  found: { total: number; count: number } | undefined,
  { page, size }: { page: number; size: number },
): number | null {
  if (!found || found.count > 0 || found.total === 0) return null;
  const last = Math.ceil(found.total / size);
  return page > last ? last : null;
}

/** Leads to the last page there is after this one was emptied; says whether it does. */
export function useLastPage(
  found: { total: number; count: number } | undefined,
  range: { page: number; size: number },
  go: (page: number) => void,
): boolean {
  const instead = pageInstead(found, range);
  const leave = useEffectEvent(go);
  useEffect(() => {
    if (instead !== null) leave(instead);
  }, [instead]);
  return instead !== null;
}

/** The same where every page has an address of its own. */
export function useLastPageAt(
  found: { total: number; count: number } | undefined,
  range: { page: number; size: number },
  hrefOf: (page: number) => string,
): boolean {
  const navigate = useNavigate();
  return useLastPage(found, range, (to) => void navigate(hrefOf(to), { replace: true }));
}

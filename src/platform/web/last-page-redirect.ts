import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

/** The last page with rows if `page` is after it and empty; otherwise null. */
export function lastPageWhenPageIsEmpty(
  counts: { total: number; count: number } | undefined,
  { page, size }: { page: number; size: number },
): number | null {
  if (!counts || counts.count > 0 || counts.total === 0) return null;
  const last = Math.ceil(counts.total / size);
  return page > last ? last : null;
}

/** Calls `go` with the last page when the current page has become empty. Returns whether it does. */
export function useLastPageFallback(
  counts: { total: number; count: number } | undefined,
  range: { page: number; size: number },
  go: (page: number) => void,
): boolean {
  const lastPage = lastPageWhenPageIsEmpty(counts, range);
  const goToPage = useEffectEvent(go);
  useEffect(() => {
    if (lastPage !== null) goToPage(lastPage);
  }, [lastPage]);
  return lastPage !== null;
}

/** Same as `useLastPageFallback` for lists whose page number is in the URL. */
export function useLastPageRedirect(
  counts: { total: number; count: number } | undefined,
  range: { page: number; size: number },
  hrefOf: (page: number) => string,
): boolean {
  const navigate = useNavigate();
  return useLastPageFallback(counts, range, (to) => void navigate(hrefOf(to), { replace: true }));
}

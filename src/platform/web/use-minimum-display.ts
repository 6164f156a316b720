import { useEffect, useRef, useState } from 'react';
import { MINIMUM_DISPLAY_MS } from './minimum-display.ts';

/** Returns true for at least 200 ms once `isFetching` is true, so that a loading state does not flash. */
export function useMinimumDisplay(isFetching: boolean): boolean {
  const [isDisplayed, setDisplayed] = useState(isFetching);
  const startedAt = useRef<number | null>(null);
  useEffect(() => {
    if (isFetching) {
      startedAt.current = performance.now();
      setDisplayed(true);
      return;
    }
    const remainingMs = startedAt.current === null ? 0 : startedAt.current + MINIMUM_DISPLAY_MS - performance.now();
    if (remainingMs <= 0) return setDisplayed(false);
    const timer = setTimeout(() => setDisplayed(false), remainingMs);
    return () => clearTimeout(timer);
  }, [isFetching]);
  return isFetching || isDisplayed;
}

import { useEffect, useRef, useState } from 'react';

const MINIMUM_DISPLAY_MS = 200;

/** Returns true for at least 200 ms once `isFetching` is true, so that a loading state does not flash. */
export function useMinimumDisplay(isFetching: boolean): boolean {
  const [isDisplayed, setDisplayed] = useState(isFetching);
  const startedAt = useRef(0);
  useEffect(() => {
    if (isFetching) {
      startedAt.current = performance.now();
      setDisplayed(true);
      return;
    }
    const remainingMs = startedAt.current + MINIMUM_DISPLAY_MS - performance.now();
    if (startedAt.current === 0 || remainingMs <= 0) return setDisplayed(false);
    const timer = setTimeout(() => setDisplayed(false), remainingMs);
    return () => clearTimeout(timer);
  }, [isFetching]);
  return isFetching || isDisplayed;
}

import { useEffect, useRef, useState } from 'react';

const MINIMUM_DISPLAY_MS = 200;

/** Stays true for at least 200 ms once it is true, so that a fetching state never flashes. */
export function useMinimumDisplay(isFetching: boolean): boolean {
  const [isHeld, setHeld] = useState(isFetching);
  const startedAt = useRef(0);
  useEffect(() => {
    if (isFetching) {
      startedAt.current = performance.now();
      setHeld(true);
      return;
    }
    const remaining = startedAt.current + MINIMUM_DISPLAY_MS - performance.now();
    if (startedAt.current === 0 || remaining <= 0) return setHeld(false);
    const timer = setTimeout(() => setHeld(false), remaining);
    return () => clearTimeout(timer);
  }, [isFetching]);
  return isFetching || isHeld;
}

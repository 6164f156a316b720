import { useCallback, useEffect, useRef } from 'react';
import { type ScrollSpeed, scrollSpeed } from './page-window.ts';

const SCROLL_END_MS = 120;

/**
 * Calls `onUpdate` once per frame while the window scrolls and again after it has stopped. The returned function
 * requests the same after a change that does not scroll.
 */
export function useScrollUpdates(onUpdate: (speed: ScrollSpeed) => void, onWindowResize: () => void): () => void {
  const request = useRef<(() => void) | null>(null);
  useEffect(() => {
    let frame = 0;
    let scrollEndTimer: ReturnType<typeof setTimeout> | undefined;
    let lastScrollY = window.scrollY;
    let updatedAt = performance.now();
    const update = (isStill: boolean) => {
      const scrolledPx = Math.abs(window.scrollY - lastScrollY);
      const seconds = (performance.now() - updatedAt) / 1_000;
      lastScrollY = window.scrollY;
      updatedAt = performance.now();
      onUpdate(isStill ? 'still' : scrollSpeed(scrolledPx, seconds, window.innerHeight));
    };
    const onScroll = () => {
      clearTimeout(scrollEndTimer);
      scrollEndTimer = setTimeout(() => update(true), SCROLL_END_MS);
      if (frame === 0)
        frame = requestAnimationFrame(() => {
          frame = 0;
          update(false);
        });
    };
    // The window height can change without the page width.
    const onResize = () => {
      onWindowResize();
      onScroll();
    };
    onScroll();
    request.current = onScroll;
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      request.current = null;
      clearTimeout(scrollEndTimer);
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [onUpdate, onWindowResize]);
  return useCallback(() => request.current?.(), []);
}

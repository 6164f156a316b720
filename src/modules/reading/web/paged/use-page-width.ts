import { type RefObject, useEffect, useState } from 'react';

/** A zoom has come to rest. */
const REST_MS = 200;

/** How wide pages are shown, in pixels of the screen; null before that is known. */
export function usePageWidth(ruler: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = ruler.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => setWidth(Math.round(element.clientWidth * devicePixelRatio) || null);
    look();
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(look, REST_MS);
    };
    const observer = new ResizeObserver(later);
    observer.observe(element);
    // The screen may have become finer under pages that are as wide as before.
    window.addEventListener('resize', later);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', later);
      clearTimeout(timer);
    };
  }, [ruler]);
  return width;
}

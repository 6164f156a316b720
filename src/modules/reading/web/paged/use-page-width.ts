import { type RefObject, useEffect, useState } from 'react';

/** Updates after a zoom has ended. */
const DEBOUNCE_MS = 200;

/** Displayed page width in device pixels; null until it is measured. */
export function usePageWidth(ruler: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = ruler.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout>;
    const update = () => setWidth(Math.round(element.clientWidth * devicePixelRatio) || null);
    update();
    const updateLater = () => {
      clearTimeout(timer);
      timer = setTimeout(update, DEBOUNCE_MS);
    };
    const observer = new ResizeObserver(updateLater);
    observer.observe(element);
    // The device pixel ratio may change without the page width.
    window.addEventListener('resize', updateLater);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', updateLater);
      clearTimeout(timer);
    };
  }, [ruler]);
  return width;
}

import { type RefObject, useEffect, useRef, useState } from 'react';

/** Horizontal scroll bar at the bottom of the window: that of the viewport is below the last page. */
export function HorizontalScrollBar({ viewport }: { viewport: RefObject<HTMLDivElement | null> }) {
  const bar = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current: target } = viewport;
    if (!target?.firstElementChild) return;
    const measure = () => setWidth(target.scrollWidth > target.clientWidth + 1 ? target.scrollWidth : 0);
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    observer.observe(target.firstElementChild);
    const syncScroll = () => {
      if (bar.current && Math.abs(bar.current.scrollLeft - target.scrollLeft) > 1)
        bar.current.scrollLeft = target.scrollLeft;
    };
    target.addEventListener('scroll', syncScroll, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', syncScroll);
    };
  }, [viewport]);
  return (
    <div
      ref={bar}
      aria-hidden="true"
      hidden={width === 0}
      className="sticky bottom-0 z-10 h-3.5 overflow-x-auto overflow-y-hidden [@media(pointer:coarse)]:hidden"
      onScroll={() => {
        if (bar.current && viewport.current) viewport.current.scrollLeft = bar.current.scrollLeft;
      }}
    >
      <div className="h-px" style={{ width }} />
    </div>
  );
}

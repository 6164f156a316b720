import { type RefObject, useEffect, useRef, useState } from 'react';

/** A bar at the foot of the window to move wide pages sideways: that of the desk lies below its last page. */
export function SideScroller({ desk }: { desk: RefObject<HTMLDivElement | null> }) {
  const bar = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current: target } = desk;
    if (!target?.firstElementChild) return;
    const measure = () => setWidth(target.scrollWidth > target.clientWidth + 1 ? target.scrollWidth : 0);
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    observer.observe(target.firstElementChild);
    const follow = () => {
      if (bar.current && Math.abs(bar.current.scrollLeft - target.scrollLeft) > 1)
        bar.current.scrollLeft = target.scrollLeft;
    };
    target.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', follow);
    };
  }, [desk]);
  return (
    <div
      ref={bar}
      aria-hidden="true"
      hidden={width === 0}
      className="sticky bottom-0 z-10 h-3.5 overflow-x-auto overflow-y-hidden [@media(pointer:coarse)]:hidden"
      onScroll={() => {
        if (bar.current && desk.current) desk.current.scrollLeft = bar.current.scrollLeft;
      }}
    >
      <div className="h-px" style={{ width }} />
    </div>
  );
}

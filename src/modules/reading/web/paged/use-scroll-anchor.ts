import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { anchorAtReadingLine, type ScrollAnchor, scrollToAnchor } from './scroll-anchor.ts';
import type { ViewportGeometry } from './viewport-geometry.ts';

/** Layout changes are complete after this time. */
const LAYOUT_SETTLE_MS = 1_500;
const MIN_SCROLL_PX = 0.5;
const userScrollEvents = ['wheel', 'touchmove', 'keydown'] as const;

/** Keeps a point of the document in place while page sizes or the zoom change. */
export function useScrollAnchor(viewport: RefObject<HTMLElement | null>, measure: () => ViewportGeometry | null) {
  /** Takes precedence until the layout has settled or the user scrolls. */
  const pinnedAnchor = useRef<ScrollAnchor | null>(null);
  /** The point at the reading line. */
  const trackedAnchor = useRef<ScrollAnchor | null>(null);
  useEffect(() => {
    const release = () => {
      pinnedAnchor.current = null;
    };
    const listenerOptions = { passive: true, capture: true };
    for (const eventName of userScrollEvents) window.addEventListener(eventName, release, listenerOptions);
    return () => {
      for (const eventName of userScrollEvents) window.removeEventListener(eventName, release, listenerOptions);
    };
  }, []);
  return useMemo(() => {
    const pin = (anchor: ScrollAnchor | null) => {
      pinnedAnchor.current = anchor;
      setTimeout(() => {
        if (pinnedAnchor.current === anchor) pinnedAnchor.current = null;
      }, LAYOUT_SETTLE_MS);
    };
    return {
      pin,
      pinTracked() {
        if (!pinnedAnchor.current) pin(trackedAnchor.current);
      },
      track(geometry: ViewportGeometry) {
        trackedAnchor.current = pinnedAnchor.current ?? anchorAtReadingLine(geometry);
      },
      /** Scrolls the point back to its position in the window. */
      restore() {
        const anchor = pinnedAnchor.current ?? trackedAnchor.current;
        const geometry = measure();
        if (!anchor || !geometry || !viewport.current) return;
        const { windowBy, viewportLeft } = scrollToAnchor(geometry, anchor);
        if (Math.abs(windowBy) > MIN_SCROLL_PX) window.scrollBy({ top: windowBy, behavior: 'instant' });
        if (Math.abs(viewportLeft - geometry.scrollLeft) > MIN_SCROLL_PX) viewport.current.scrollLeft = viewportLeft;
      },
    };
  }, [viewport, measure]);
}

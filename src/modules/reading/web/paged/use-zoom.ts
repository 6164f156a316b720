import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import { useReader, useReaderState } from '../reader-store.ts';
import { anchorForZoom } from './scroll-anchor.ts';
import type { useScrollAnchor } from './use-scroll-anchor.ts';
import type { ViewportGeometry } from './viewport-geometry.ts';
import { type Zoom, zoomPercent } from './zoom.ts';

type Options = {
  ruler: RefObject<HTMLElement | null>;
  measure: () => ViewportGeometry | null;
  anchor: ReturnType<typeof useScrollAnchor>;
  requestUpdate: () => void;
};

/** Keeps the reading position and the displayed percentage when the page width changes. Returns the zoom function. */
export function useZoom({ ruler, measure, anchor, requestUpdate }: Options) {
  const { store } = useReader();
  const zoom = useReaderState((state) => state.zoom);
  const appliedZoom = useRef<Zoom | null>(null);
  const onWidthChange = useCallback(() => {
    anchor.restore();
    const geometry = measure();
    if (geometry) store.dispatch({ type: 'zoomMeasured', percent: zoomPercent(geometry.pageWidth) });
    requestUpdate();
  }, [anchor, measure, store, requestUpdate]);
  useEffect(() => {
    if (!ruler.current) return;
    const observer = new ResizeObserver(onWidthChange);
    observer.observe(ruler.current);
    return () => observer.disconnect();
  }, [ruler, onWidthChange]);
  useLayoutEffect(() => {
    if (appliedZoom.current === zoom) return;
    appliedZoom.current = zoom;
    // The next key press may come before the observer fires.
    onWidthChange();
  });
  return useCallback(
    (next: Zoom, point?: { clientX: number; clientY: number }) => {
      const geometry = measure();
      const { page } = store.getState();
      if (geometry) anchor.pin(anchorForZoom(geometry, next, { page, coveredPx: fixedBarsHeight(), point }));
      store.dispatch({ type: 'zoomChanged', zoom: next });
    },
    [anchor, measure, store],
  );
}

import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import { useReader } from '../reader-store.ts';
import type { PageLayout } from './page-layout.ts';
import { initialPageRanges, nextPageRanges, type ScrollSpeed } from './page-window.ts';
import { currentPage, reportedPosition } from './reading-report.ts';
import { anchorForPosition } from './scroll-anchor.ts';
import type { PageRange } from './use-page-data.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useScrollUpdates } from './use-scroll-updates.ts';
import { useZoom } from './use-zoom.ts';
import { measureViewport } from './viewport-geometry.ts';

/** Scroll position, zoom and rendered pages of a virtualized page list. */
export function useViewport(layout: PageLayout, initial: PageRange) {
  const { store, report } = useReader();
  const viewport = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLLIElement>(null);
  const committedLayout = useRef(layout);
  const [ranges, setRanges] = useState(() => initialPageRanges(initial));
  const measure = useCallback(() => measureViewport(committedLayout.current, viewport.current, ruler.current), []);
  const anchor = useScrollAnchor(viewport, measure);
  const update = useCallback(
    (speed: ScrollSpeed) => {
      const geometry = measure();
      if (!geometry) return;
      setRanges((previous) => nextPageRanges(previous, geometry, speed));
      anchor.track(geometry);
      store.dispatch({ type: 'pageReached', page: currentPage(geometry) });
      if (speed !== 'still') return;
      const { page, offset } = reportedPosition(geometry);
      report(page, offset);
    },
    [measure, anchor, store, report],
  );
  const requestUpdate = useScrollUpdates(update, anchor.restore);
  const zoomTo = useZoom({ ruler, measure, anchor, requestUpdate });
  useLayoutEffect(() => {
    // Not earlier: until now the rendered pages were those of the previous layout.
    committedLayout.current = layout;
    if (layout.pages === 0) return;
    anchor.pinTracked();
    anchor.restore();
    // Layout changes can move other pages into view without scrolling.
    requestUpdate();
  }, [layout, anchor, requestUpdate]);
  const goTo = useCallback(
    (page: number, offset = 0) => {
      const geometry = measure();
      const target = geometry && anchorForPosition(geometry, { page, offset }, fixedBarsHeight());
      if (!target) return;
      anchor.pin(target);
      anchor.restore();
      // The next key press may come before the next update.
      store.dispatch({ type: 'pageReached', page });
    },
    [measure, anchor, store],
  );
  return { viewport, ruler, ranges, goTo, zoomTo };
}

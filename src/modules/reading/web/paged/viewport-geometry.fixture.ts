import { layOutPages } from './page-layout.ts';
import type { ViewportGeometry } from './viewport-geometry.ts';

/** 20 pages of 800 x 1000 pixels in a window 1000 pixels high, scrolled to the top of the column. */
export function makeGeometry(changes: Partial<ViewportGeometry> = {}): ViewportGeometry {
  const layout = layOutPages([{ page: 1, width: 800, height: 1000 }], 20);
  return {
    layout,
    windowHeight: 1000,
    top: 0,
    left: 100,
    width: 1000,
    height: 20 * 1016 + 16,
    pageWidth: 800,
    scrollLeft: 0,
    scrollWidth: 1000,
    ...changes,
  };
}

/** Page tops are 1016 pixels apart and start below the padding of 16 pixels. */
export const pageTop = (page: number) => 16 + (page - 1) * 1016;

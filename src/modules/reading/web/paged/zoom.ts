import { READER_BAR_HEIGHT_PX } from '../fixed-bars-height.ts';
import { PAGE_GAP } from './page-layout.ts';

/** Automatic, page width, whole page, or percent. */
export type Zoom = 'auto' | 'width' | 'page' | number;
export const MIN_ZOOM = 10;
export const MAX_ZOOM = 400;

const ZOOM_STEPS = [10, 25, 33, 50, 67, 75, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400];

export function zoomStep(percent: number, direction: 1 | -1): number {
  const next =
    direction > 0
      ? ZOOM_STEPS.find((step) => step > percent + 0.5)
      : ZOOM_STEPS.findLast((step) => step < percent - 0.5);
  return next ?? (direction > 0 ? MAX_ZOOM : MIN_ZOOM);
}

export const clampZoom = (percent: number) => Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, Math.round(percent)));

/** Page width in pixels at 100 %. */
export const FULL_WIDTH_PX = 880;

export const zoomPercent = (pageWidth: number) => Math.round((pageWidth / FULL_WIDTH_PX) * 100);

/** A CSS expression, so that the width is correct before scripts run. `ratio`: height of a page divided by its width. */
export function pageWidthCss(zoom: Zoom, isDouble: boolean, ratio: number): string {
  const availableWidth = isDouble ? `((100cqw - 2 * var(--pad) - ${PAGE_GAP}px) / 2)` : '(100cqw - 2 * var(--pad))';
  if (typeof zoom === 'number') return `${(zoom / 100) * FULL_WIDTH_PX}px`;
  if (zoom === 'width') return `calc(${availableWidth})`;
  if (zoom === 'page')
    return `min(${availableWidth}, calc((100dvh - var(--top-bar-height) - ${READER_BAR_HEIGHT_PX + 24}px) / ${ratio}))`;
  return `min(${availableWidth}, ${FULL_WIDTH_PX}px)`;
}

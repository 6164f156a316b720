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

import { createHash } from 'node:crypto';
import path from 'node:path';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { MAX_SIDE_PIXELS, MAX_SLIDES, SLIDES_PRESENTATION, writeDrawingSlides } from './drawing-slides.ts';
import type { AnchoredDrawing } from './read-anchors.ts';
import { pixelsBetween, type SheetGeometry } from './sheet-geometry.ts';
import { type Slide, writeSlides } from './write-slides.ts';

const MIN_SIDE_PIXELS = 16;

/** Collects what LibreOffice has to draw, each drawing of a size once. */
export function createSlideCollector() {
  const slides: (Slide & { name: string })[] = [];
  return {
    /** Returns the name that the drawn image will have; null if there are too many slides. */
    add(slide: Slide): string | null {
      if (slides.length >= MAX_SLIDES) return null;
      const { width, height, crop } = slide;
      const hash = createHash('sha256').update(slide.body).update(JSON.stringify({ width, height, crop }));
      const name = `i/${hash.digest('hex').slice(0, 32)}.webp`;
      if (!slides.some((each) => each.name === name)) slides.push({ ...slide, name });
      return name;
    },
    write(folder: string, theme: Buffer | null): void {
      const size = { width: largest(slides, 'width'), height: largest(slides, 'height') };
      writeDrawingSlides(folder, {
        ...size,
        drawings: slides.map(({ name, width, height }) => ({ name, width, height })),
        hasChartWithoutNumbers: slides.some(({ kind, body }) => kind === 'chart' && hasNoNumbers(body)),
      });
      if (slides.length > 0) writeSlides(path.join(folder, SLIDES_PRESENTATION), slides, size, theme);
    },
  };
}

const largest = (slides: Slide[], side: 'width' | 'height') =>
  slides.reduce((max, slide) => Math.max(max, slide[side]), 1);

/** Size of a drawing in the file, in pixels. */
export function sizeOf(
  { row, column, endRow, endColumn }: AnchoredDrawing,
  { columnWidth, rowHeight }: SheetGeometry,
): { width: number; height: number } {
  const limit = (pixels: number) => Math.round(Math.min(MAX_SIDE_PIXELS, Math.max(MIN_SIDE_PIXELS, pixels)));
  return {
    width: limit(pixelsBetween(column, endColumn, columnWidth)),
    height: limit(pixelsBetween(row, endRow, rowHeight)),
  };
}

/** Excel copies the numbers of the cells into each chart, other programs may not. */
const hasNoNumbers = (chart: Buffer) =>
  findElementsByLocalName(parseXml(chart), 'numRef').some(
    ({ children }) => findElementsByLocalName(children, 'numCache').length === 0,
  );

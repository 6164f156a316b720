import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { pictureName } from './picture-list.ts';

export const MAX_SLIDES = 200;
export const MAX_SIDE_PIXELS = 2_000;
export const SLIDES_FILE = 'slides.json';
export const SLIDES_PRESENTATION = 'charts.pptx';
const side = z.number().check(z.gte(1), z.lte(MAX_SIDE_PIXELS));

export const drawingSlides = z.object({
  /** Size of all slides, in pixels at 96 dpi. */
  width: side,
  height: side,
  /** Each drawing is at the top left of its own slide. `name`: file of its image. */
  drawings: z.array(z.object({ name: pictureName, width: side, height: side })).check(z.maxLength(MAX_SLIDES)),
  /** A chart has no copy of the numbers of the cells that it shows. */
  hasChartWithoutNumbers: z.boolean(),
});
export type DrawingSlides = z.infer<typeof drawingSlides>;

export const writeDrawingSlides = (folder: string, slides: DrawingSlides) =>
  writeFileSync(`${folder}/${SLIDES_FILE}`, JSON.stringify(slides));

export const readDrawingSlides = (folder: string): DrawingSlides =>
  drawingSlides.parse(JSON.parse(readFileSync(`${folder}/${SLIDES_FILE}`, 'utf8')));

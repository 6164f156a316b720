import type { PdfResource, PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { type Canvas, createCanvas } from './canvas.ts';
import type { FontStore } from './font-store.ts';
import { type AffineMatrix, IDENTITY } from './geometry.ts';
import type { GlyphForms } from './glyph-forms.ts';
import type { ImageStore } from './image-store.ts';
import type { OfdPackage } from './ofd-package.ts';
import type { Resources } from './resources.ts';
import { findChild, type XmlElement } from './xml-tree.ts';

/** Objects and characters of a page; a composite that contains composites can multiply them without limit. */
const MAX_OBJECTS = 100_000;
const MAX_NESTED_OBJECTS = 16;
const MAX_NOTES = 12;
/** Draw parameters may refer to each other in a circle. */
const MAX_DRAW_PARAM_DEPTH = 16;

/** What all pages of a file share. */
export type OfdConversion = {
  writer: PdfWriter;
  fonts: FontStore;
  images: ImageStore;
  glyphForms: GlyphForms;
  graphicsState(entries: string): PdfResource;
};

/** What a page, and everything on it, has drawn and could not draw. */
export type PageState = {
  objects: number;
  /** Names of what is not drawn, for the reader. */
  notes: Set<string>;
};

/** The state in which the objects of a block are drawn. */
export type Drawing = {
  conversion: OfdConversion;
  ofd: OfdPackage;
  resources: Resources;
  page: PageState;
  canvas: Canvas;
  /** Maps the coordinates of the objects to those of the canvas, in millimetres. */
  matrix: AffineMatrix;
  /** Opacity of the composite that contains the objects. */
  alpha: number;
  /** Defaults of the objects, the nearest first. */
  drawParams: XmlElement[];
  depth: number;
  /** Whether text is also added for search and selection. */
  hasText: boolean;
  /** Draws the objects of a block; kept here because patterns and composites contain blocks. */
  drawBlock(drawing: Drawing, block: XmlElement): Promise<void>;
};

export const createPageState = (): PageState => ({ objects: 0, notes: new Set() });

/** Adds what is not drawn to the note of the page. */
export function addNote({ page: { notes } }: Pick<Drawing, 'page'>, note: string): void {
  if (notes.size < MAX_NOTES) notes.add(note);
}

/** Whether another object may be drawn; otherwise the page says that some are missing. */
export function mayDraw(drawing: Drawing): boolean {
  const { page, canvas, depth } = drawing;
  page.objects++;
  if (depth > MAX_NESTED_OBJECTS) addNote(drawing, '嵌套过深的对象');
  else if (page.objects > MAX_OBJECTS || canvas.isFull()) addNote(drawing, '过多的对象');
  else return true;
  return false;
}

/** The draw parameters with this number and those they are derived from. */
export function findDrawParams({ drawParams }: Resources, id: string | undefined): XmlElement[] {
  const chain: XmlElement[] = [];
  for (let next = id; next !== undefined && chain.length < MAX_DRAW_PARAM_DEPTH; ) {
    const element = drawParams.get(next);
    if (!element) break;
    chain.push(element);
    next = element.attributes.Relative;
  }
  return chain;
}

/** The elements that define the style of an object, the nearest first. */
export const styleSources = (drawing: Drawing, object: XmlElement): XmlElement[] => [
  object,
  ...findDrawParams(drawing.resources, object.attributes.DrawParam),
  ...drawing.drawParams,
];

export const findStyleAttribute = (sources: XmlElement[], name: string): string | undefined =>
  sources.find(({ attributes }) => attributes[name] !== undefined)?.attributes[name];

export const findStyleElement = (sources: XmlElement[], name: string): XmlElement | null =>
  sources.map((source) => findChild(source, name)).find((element) => element !== null) ?? null;

/** Draws onto a canvas of its own, such as a form or the cell of a pattern. */
export async function drawNestedCanvas(
  drawing: Drawing,
  draw: (nestedDrawing: Drawing) => Promise<void>,
): Promise<Canvas> {
  const canvas = createCanvas();
  await draw({ ...drawing, canvas, matrix: IDENTITY, alpha: 1 });
  return canvas;
}

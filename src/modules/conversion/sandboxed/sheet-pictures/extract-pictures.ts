import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { createBookImageStore } from '../flow/book-image-store.ts';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { readDrawingPart } from '../sheet/drawing-part.ts';
import { cleanCellText, MAX_SHEETS } from '../sheet/limits.ts';
import { listSheetParts, parseRelations, relationsPartPath } from '../sheet/workbook-parts.ts';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { type ChartSlides, MAX_SIDE_PIXELS, MAX_SLIDES, writeChartSlides } from './chart-slides.ts';
import { PICTURE_FOLDER, type PictureList, type PlacedPicture, writePictureList } from './picture-list.ts';
import { type AnchoredDrawing, type Crop, cropOf, readAnchors } from './read-anchors.ts';
import { pixelsBetween, readSheetGeometry, type SheetGeometry } from './sheet-geometry.ts';
import { type Slide, writeSlides } from './write-slides.ts';

type ExtractOptions = { file: string; folder: string };

/** Pictures that are used in many cells count once for each. */
const MAX_PICTURES = 2_000;
/** What cannot be decoded here; LibreOffice draws it on a slide. */
const VECTOR_PICTURE = /\.(emf|wmf)$/i;
const MIN_SIDE_PIXELS = 16;
export const SLIDES_PRESENTATION = 'charts.pptx';

/**
 * Writes the pictures of an xlsx or xlsb file and a list of their positions into the work folder, and charts into a
 * presentation, from which they are drawn.
 */
export async function extractPictures({ file, folder }: ExtractOptions): Promise<void> {
  mkdirSync(`${folder}/${PICTURE_FOLDER}`, { recursive: true });
  const zip = await openZip(file);
  try {
    const collector = createCollector(zip, folder);
    for (const { name, part } of (await listSheetParts(zip)).slice(0, MAX_SHEETS))
      if (part) await collector.addSheet(cleanCellText(name).slice(0, 100), part);
    await collector.addCellImages();
    await collector.write();
  } finally {
    zip.close();
  }
}

function createCollector(zip: Zip, folder: string) {
  const images = createBookImageStore(`${folder}/${PICTURE_FOLDER}`, () => {});
  const list: PictureList = { placed: [], byId: {} };
  const slides: (Slide & { name: string })[] = [];
  let lacksNumbers = false;

  /** Returns the name of the stored picture; null for one that cannot be read. */
  async function storePicture(part: string, crop: Crop | null): Promise<string | null> {
    const key = crop ? `${part}?${JSON.stringify(crop)}` : part;
    const bytes = images.nameOf(key) ? null : await readDrawingPart(zip, part);
    if (bytes) await images.add(key, crop ? await cropPicture(bytes, crop) : bytes);
    return images.nameOf(key);
  }

  function addSlide(slide: Slide): string | null {
    if (slides.length >= MAX_SLIDES) return null;
    const hash = createHash('sha256').update(slide.body).update(`${slide.width}x${slide.height}`).digest('hex');
    const name = `i/${hash.slice(0, 32)}.webp`;
    if (!slides.some((each) => each.name === name)) slides.push({ ...slide, name });
    return name;
  }

  async function storeDrawing(
    drawing: AnchoredDrawing,
    target: string,
    geometry: SheetGeometry,
  ): Promise<string | null> {
    const vector = VECTOR_PICTURE.exec(target)?.[1]?.toLowerCase();
    if (drawing.kind === 'picture' && !vector) return storePicture(target, drawing.crop);
    const body = await readDrawingPart(zip, target);
    if (!body) return null;
    const kind = drawing.kind === 'chart' ? 'chart' : vector === 'emf' ? 'emf' : 'wmf';
    lacksNumbers ||= kind === 'chart' && refersToCellsOnly(body);
    return addSlide({ kind, body, ...sizeOf(drawing, geometry) });
  }

  return {
    async addSheet(sheet: string, part: string) {
      const relations = parseRelations(part, await readDrawingPart(zip, relationsPartPath(part)));
      const drawings = relations.filter(({ type }) => type === 'drawing');
      if (drawings.length === 0) return;
      const geometry = await readSheetGeometry(zip, part);
      for (const { target: drawingPart } of drawings) {
        const targets = parseRelations(drawingPart, await readDrawingPart(zip, relationsPartPath(drawingPart)));
        for (const drawing of readAnchors(parseXml(await readDrawingPart(zip, drawingPart)), geometry)) {
          if (list.placed.length >= MAX_PICTURES) return;
          const target = targets.find(({ id }) => id === drawing.relation)?.target;
          const name = target && (await storeDrawing(drawing, target, geometry));
          if (name) list.placed.push(placedPicture(sheet, name, drawing));
        }
      }
    },
    /** Pictures that WPS Office places into cells by a formula. */
    async addCellImages() {
      const part = 'xl/cellimages.xml';
      const relations = parseRelations(part, await readDrawingPart(zip, relationsPartPath(part)));
      const pictures = findElementsByLocalName(parseXml(await readDrawingPart(zip, part)), 'pic');
      for (const picture of pictures.slice(0, MAX_PICTURES)) {
        const [properties] = findElementsByLocalName(picture.children, 'cNvPr');
        const [blip] = findElementsByLocalName(picture.children, 'blip');
        const target = relations.find(({ id }) => id === blip?.attribs['r:embed'])?.target;
        const name = target && (await storePicture(target, cropOf(picture)));
        if (name && properties?.attribs.name) list.byId[properties.attribs.name] = name;
      }
    },
    async write() {
      writePictureList(folder, list);
      const size = { width: largest(slides, 'width'), height: largest(slides, 'height') };
      const charts = slides.map(({ name, width, height }) => ({ name, width, height }));
      const chartSlides: ChartSlides = { ...size, charts, lacksNumbers };
      writeChartSlides(folder, chartSlides);
      const theme = await readDrawingPart(zip, 'xl/theme/theme1.xml');
      if (slides.length > 0) writeSlides(path.join(folder, SLIDES_PRESENTATION), slides, size, theme);
    },
  };
}

const placedPicture = (
  sheet: string,
  name: string,
  { row, column, endRow, endColumn }: AnchoredDrawing,
): PlacedPicture => ({
  sheet,
  name,
  row,
  column,
  endRow,
  endColumn,
});

const largest = (slides: Slide[], side: 'width' | 'height') =>
  slides.reduce((max, slide) => Math.max(max, slide[side]), 1);

function sizeOf({ row, column, endRow, endColumn }: AnchoredDrawing, { columnWidth, rowHeight }: SheetGeometry) {
  const limit = (pixels: number) => Math.round(Math.min(MAX_SIDE_PIXELS, Math.max(MIN_SIDE_PIXELS, pixels)));
  return {
    width: limit(pixelsBetween(column, endColumn, columnWidth)),
    height: limit(pixelsBetween(row, endRow, rowHeight)),
  };
}

/** Excel copies the numbers of the cells into each chart, other programs may not. */
const refersToCellsOnly = (chart: Buffer) => {
  const xml = parseXml(chart);
  const references = findElementsByLocalName(xml, 'numRef');
  return references.some(({ children }) => findElementsByLocalName(children, 'numCache').length === 0);
};

/** What the author has cut off must not become visible. */
async function cropPicture(bytes: Buffer, { left, top, right, bottom }: Crop): Promise<Buffer | null> {
  try {
    const picture = sharp(bytes, { limitInputPixels: 40_000_000, pages: 1 });
    const { width, height } = await picture.metadata();
    const share = (side: number, from: number, to: number) => Math.max(1, Math.round(side * (1 - from - to)));
    return await picture
      .extract({
        left: Math.min(width - 1, Math.round(width * left)),
        top: Math.min(height - 1, Math.round(height * top)),
        width: Math.min(share(width, left, right), width - Math.min(width - 1, Math.round(width * left))),
        height: Math.min(share(height, top, bottom), height - Math.min(height - 1, Math.round(height * top))),
      })
      .png()
      .toBuffer();
  } catch {
    // A picture that cannot be decoded is left out; the cells stay.
    return null;
  }
}

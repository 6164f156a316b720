import { mkdirSync } from 'node:fs';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { readDrawingPart } from '../sheet/drawing-part.ts';
import { cleanCellText, MAX_SHEETS } from '../sheet/limits.ts';
import { listSheetParts, parseRelations, relationsPartPath, type SheetPart } from '../sheet/workbook-parts.ts';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { readDrawingSlides } from './drawing-slides.ts';
import { PICTURE_FOLDER, type PictureList, readWrittenPictureList, writePictureList } from './picture-list.ts';
import { createPictureStore } from './picture-store.ts';
import { type AnchoredDrawing, cropOf, readAnchors } from './read-anchors.ts';
import { withoutHiddenPoints } from './remove-hidden-points.ts';
import type { SheetGeometry } from './sheet-geometry.ts';
import { createSlideCollector, sizeOf } from './slide-collector.ts';
import { createVisibilityReader } from './workbook-visibility.ts';

type ExtractOptions = {
  file: string;
  folder: string;
  /**
   * The file is a copy that LibreOffice made of a workbook whose pictures are extracted: only what LibreOffice draws is
   * replaced. The copy has no pictures of WPS Office.
   */
  isCopy?: boolean;
};

/** Of a workbook; a picture that is used in several places counts several times. */
const MAX_PICTURES = 2_000;
/** Picture formats that sharp cannot decode; LibreOffice draws them. */
const VECTOR_PICTURE = /\.(emf|wmf)$/i;

/**
 * Writes the pictures of an xlsx or xlsb file and a list of their positions into the work folder, and charts into a
 * presentation, from which they are drawn.
 */
export async function extractPictures({ file, folder, isCopy = false }: ExtractOptions): Promise<void> {
  mkdirSync(`${folder}/${PICTURE_FOLDER}`, { recursive: true });
  const zip = await openZip(file);
  try {
    const list = isCopy ? listWithoutSlides(folder) : { placed: [], byId: {} };
    const sheets = await listSheetParts(zip);
    const collector = createCollector(zip, { folder, list, isCopy, sheets });
    for (const { name, part } of sheets.slice(0, MAX_SHEETS))
      if (part) await collector.addSheet(cleanCellText(name).slice(0, 100), part);
    if (!isCopy) await collector.addCellImages();
    await collector.write();
  } finally {
    zip.close();
  }
}

function listWithoutSlides(folder: string): PictureList {
  const names = new Set(readDrawingSlides(folder).drawings.map(({ name }) => name));
  const { placed, byId } = readWrittenPictureList(folder);
  return { placed: placed.filter(({ name }) => !names.has(name)), byId };
}

type CollectorOptions = { folder: string; list: PictureList; isCopy: boolean; sheets: SheetPart[] };

function createCollector(zip: Zip, { folder, list, isCopy, sheets }: CollectorOptions) {
  const { geometryOf, visibility } = createVisibilityReader(zip, sheets);
  const pictures = createPictureStore(zip, folder);
  const slides = createSlideCollector();

  async function addDrawing(drawing: AnchoredDrawing, target: string, geometry: SheetGeometry) {
    const vector = VECTOR_PICTURE.exec(target)?.[1]?.toLowerCase();
    if (drawing.kind === 'picture' && !vector) return isCopy ? null : pictures.add(target, drawing.crop);
    const part = await readDrawingPart(zip, target);
    const body = part && drawing.kind === 'chart' ? await withoutHiddenPoints(part, visibility) : part;
    const kind = drawing.kind === 'chart' ? 'chart' : vector === 'emf' ? 'emf' : 'wmf';
    return body && slides.add({ kind, body, crop: drawing.crop, ...sizeOf(drawing, geometry) });
  }

  const relationsOf = async (part: string) => parseRelations(part, await readDrawingPart(zip, relationsPartPath(part)));

  return {
    async addSheet(sheet: string, part: string) {
      const drawings = (await relationsOf(part)).filter(({ type }) => type === 'drawing');
      if (drawings.length === 0) return;
      const geometry = await geometryOf(part);
      for (const { target: drawingPart } of drawings) {
        const targets = await relationsOf(drawingPart);
        const xml = parseXml(await readDrawingPart(zip, drawingPart));
        for (const drawing of readAnchors(xml, geometry, MAX_PICTURES)) {
          if (list.placed.length >= MAX_PICTURES) return;
          const target = targets.find(({ id }) => id === drawing.relation)?.target;
          const name = target && (await addDrawing(drawing, target, geometry));
          const { row, column, endRow, endColumn, label } = drawing;
          if (name) list.placed.push({ sheet, name, label, row, column, endRow, endColumn });
        }
      }
    },
    /** Pictures that WPS Office places into cells by a formula. */
    async addCellImages() {
      const part = 'xl/cellimages.xml';
      const relations = await relationsOf(part);
      const cellPictures = findElementsByLocalName(parseXml(await readDrawingPart(zip, part)), 'pic');
      for (const picture of cellPictures.slice(0, MAX_PICTURES)) {
        const [properties] = findElementsByLocalName(picture.children, 'cNvPr');
        const [blip] = findElementsByLocalName(picture.children, 'blip');
        const target = relations.find(({ id }) => id === blip?.attribs['r:embed'])?.target;
        const name = target && (await pictures.add(target, cropOf(picture)));
        if (name && properties?.attribs.name) list.byId[properties.attribs.name] = name;
      }
    },
    async write() {
      writePictureList(folder, list);
      slides.write(folder, await readDrawingPart(zip, 'xl/theme/theme1.xml'));
    },
  };
}

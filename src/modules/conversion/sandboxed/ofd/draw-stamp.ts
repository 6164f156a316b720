import { openZipBytes } from '../flow/zip-reader.ts';
import type { PdfResource } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { type Canvas, formatNumber, matrixOperator } from './canvas.ts';
import { addNote, type Drawing, drawNestedCanvas } from './drawing.ts';
import { type AffineMatrix, combine, type OfdBox, scaling, translation } from './geometry.ts';
import { pageBox, readOfdFile } from './ofd-document.ts';
import { createOfdPackage } from './ofd-package.ts';
import { drawPageObjects } from './page-objects.ts';
import type { SealPicture } from './seal-picture.ts';
import type { Stamp } from './signatures.ts';

const UPWARDS: AffineMatrix = [1, 0, 0, -1, 0, 1];
/** White paper of a seal does not cover the text below it. */
const MULTIPLY = '/BM /Multiply';

/** Pictures of seals, or the reason why there is none. A seal is often on every page. */
export type StampPictures = Map<string, PdfResource | null>;

export async function drawStamp(drawing: Drawing, stamp: Stamp, pictures: StampPictures): Promise<void> {
  const { canvas, conversion } = drawing;
  const { box, clip, picture, key } = stamp;
  if (!picture) return addNote(drawing, '印章（文件中没有图案）');
  if (!pictures.has(key)) pictures.set(key, await loadPicture(drawing, picture, stamp));
  const resource = pictures.get(key);
  if (!resource) return addNote(drawing, '印章（图案无法读取）');
  canvas.push('q');
  if (clip) {
    const corner = combine(translation(box.x, box.y), drawing.matrix);
    canvas.push(matrixOperator(corner), `${rectangle(clip)} W n`, matrixOperator(translation(-box.x, -box.y)));
  }
  const size = combine(scaling(box.width, box.height), translation(box.x, box.y));
  canvas.push(
    matrixOperator(clip ? size : combine(size, drawing.matrix)),
    `${canvas.use(conversion.graphicsState(MULTIPLY))} gs`,
    `${canvas.use(resource)} Do`,
    'Q',
  );
}

const rectangle = ({ x, y, width, height }: OfdBox) => `${[x, y, width, height].map(formatNumber).join(' ')} re`;

/** A form in a square of side 1 whose y axis points down. */
async function loadPicture(drawing: Drawing, picture: SealPicture, { key }: Stamp): Promise<PdfResource | null> {
  if (picture.type === 'ofd' || picture.bytes.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    return drawNestedPage(drawing, picture.bytes);
  const image = await drawing.conversion.images.add(`${drawing.ofd.id}\n${key}`, picture.bytes);
  if (!image) return null;
  const form = await drawNestedCanvas(drawing, async ({ canvas }) => {
    canvas.push(matrixOperator(UPWARDS), `${canvas.use(image)} Do`);
  });
  return addForm(drawing, form);
}

/** The first page of an OFD file. Its text is part of the picture. */
async function drawNestedPage(drawing: Drawing, file: Buffer): Promise<PdfResource | null> {
  try {
    const zip = await openZipBytes(file);
    const ofd = createOfdPackage(zip);
    const [document] = (await readOfdFile(ofd)).documents;
    const page = await ofd.readXml(document?.pages[0]?.member ?? null);
    if (!document || !page) return null;
    const box = pageBox(page, document);
    const toUnitSquare = combine(translation(-box.x, -box.y), scaling(1 / box.width, 1 / box.height));
    const form = await drawNestedCanvas({ ...drawing, ofd, hasText: false, drawParams: [] }, (nestedDrawing) =>
      drawPageObjects({ ...nestedDrawing, matrix: toUnitSquare, depth: drawing.depth + 1 }, document, page),
    );
    return addForm(drawing, form);
  } catch (error) {
    if (error instanceof RejectedFileError) return null; // The nested file is damaged; the caller names the seal.
    throw error;
  }
}

const addForm = ({ conversion }: Drawing, canvas: Canvas): PdfResource =>
  conversion.writer.addOperators(
    'XObject',
    '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Group << /S /Transparency >>',
    canvas.finish(),
  );

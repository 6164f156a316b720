import type { PageWords } from '../events.ts';
import { type Pdf, withPdfiumMemory } from '../pdf-engine.ts';

/** Pictures cover more of a scanned page. */
const MIN_PICTURE_SHARE = 0.5;
/** Fewer characters, such as a page number, are not worth the recognition of the page. */
const MIN_ILLEGIBLE_CHARACTERS = 20;
/** Cells in each direction in which the covered area is counted, because pictures may overlap. */
const GRID_CELLS = 40;
/** Values of FPDFPageObj_GetType. */
const [IMAGE_OBJECT, FORM_OBJECT] = [3, 5];
/** Limits for pages with any number of objects and of nested forms. */
const [MAX_OBJECTS, MAX_FORM_DEPTH] = [5_000, 8];

type Bounds = { left: number; bottom: number; right: number; top: number };
/** Maps coordinates of a form to those of the page: a, b, c, d, e, f of the PDF specification. */
type Matrix = readonly [number, number, number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Whether an open page without usable text shows text: in pictures, or in fonts that do not map to Unicode. */
export const needsRecognition = (pdf: Pdf, page: number, words: PageWords): boolean =>
  words.length === 0 && (hasIllegibleText(pdf, page) || measurePictureShare(pdf, page) > MIN_PICTURE_SHARE);

/** The page has characters, although none became a word. */
function hasIllegibleText({ engine }: Pdf, page: number): boolean {
  const text = engine.FPDFText_LoadPage(page);
  if (text === 0) return false;
  const characterCount = engine.FPDFText_CountChars(text);
  engine.FPDFText_ClosePage(text);
  return characterCount >= MIN_ILLEGIBLE_CHARACTERS;
}

function measurePictureShare(pdf: Pdf, page: number): number {
  const pageBounds = readPageBounds(pdf, page);
  const pictures = listPictures(pdf, page);
  const [width, height] = [pageBounds.right - pageBounds.left, pageBounds.top - pageBounds.bottom];
  let coveredCells = 0;
  for (let cell = 0; cell < GRID_CELLS ** 2; cell++) {
    const x = pageBounds.left + (((cell % GRID_CELLS) + 0.5) / GRID_CELLS) * width;
    const y = pageBounds.bottom + ((Math.floor(cell / GRID_CELLS) + 0.5) / GRID_CELLS) * height;
    if (pictures.some(({ left, bottom, right, top }) => x > left && x < right && y > bottom && y < top)) coveredCells++;
  }
  return coveredCells / GRID_CELLS ** 2;
}

function readPageBounds(pdf: Pdf, page: number): Bounds {
  return withPdfiumMemory(pdf, 16, (pointer) => {
    const { engine } = pdf;
    if (!engine.FPDF_GetPageBoundingBox(page, pointer)) return { left: 0, bottom: 0, right: 0, top: 0 };
    const [left = 0, top = 0, right = 0, bottom = 0] = readFloats(pdf, pointer, 4);
    return { left, bottom, right, top };
  });
}

function listPictures(pdf: Pdf, page: number): Bounds[] {
  const { engine } = pdf;
  const pictures: Bounds[] = [];
  let visitedObjects = 0;
  const visit = (object: number, matrix: Matrix, depth: number) => {
    const type = engine.FPDFPageObj_GetType(object);
    if (type === IMAGE_OBJECT) pictures.push(readObjectBounds(pdf, object, matrix));
    if (type !== FORM_OBJECT || depth >= MAX_FORM_DEPTH) return;
    const formMatrix = multiply(readMatrix(pdf, object), matrix);
    const count = engine.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count && visitedObjects++ < MAX_OBJECTS; index++)
      visit(engine.FPDFFormObj_GetObject(object, index), formMatrix, depth + 1);
  };
  const count = engine.FPDFPage_CountObjects(page);
  for (let index = 0; index < count && visitedObjects++ < MAX_OBJECTS; index++)
    visit(engine.FPDFPage_GetObject(page, index), IDENTITY, 0);
  return pictures;
}

/** The engine returns coordinates of the form that contains the object. */
function readObjectBounds(pdf: Pdf, object: number, [a, b, c, d, e, f]: Matrix): Bounds {
  return withPdfiumMemory(pdf, 16, (pointer) => {
    pdf.engine.FPDFPageObj_GetBounds(object, pointer, pointer + 4, pointer + 8, pointer + 12);
    const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdf, pointer, 4);
    const corners = [left, right].flatMap((x) => [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f]));
    const xs = corners.map(([x = 0]) => x);
    const ys = corners.map(([, y = 0]) => y);
    return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
  });
}

const readMatrix = (pdf: Pdf, object: number): Matrix =>
  withPdfiumMemory(pdf, 24, (pointer) => {
    if (!pdf.engine.FPDFPageObj_GetMatrix(object, pointer)) return IDENTITY;
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = readFloats(pdf, pointer, 6);
    return [a, b, c, d, e, f];
  });

/** The inner matrix applies first. */
const multiply = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  a * A + b * C,
  a * B + b * D,
  c * A + d * C,
  c * B + d * D,
  e * A + f * C + E,
  e * B + f * D + F,
];

const readFloats = ({ engine }: Pdf, pointer: number, length: number): number[] =>
  Array.from({ length }, (_, index) => engine.pdfium.getValue(pointer + 4 * index, 'float'));

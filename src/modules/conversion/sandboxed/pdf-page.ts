import { type Pdf, withPdfiumMemory } from './pdf-engine.ts';
import { pdfiumHeap } from './pdfium-heap.ts';

/** The image size is fixed in pixels, because a tiny file may declare a page of any size. */
const PAGE_WIDTH_PIXELS = 1240;
const MAX_PIXELS = 4_000_000;
const MAX_SIDE_PIXELS = 8_000;

/** FPDF_ANNOT draws annotations; FPDF_REVERSE_BYTE_ORDER yields RGBA. */
const RENDER_FLAGS = 0x01 | 0x10;
const WHITE = 0xffffffff;

export type PdfPageSize = { width: number; height: number };
export type Bitmap = PdfPageSize & { pixels: Buffer };

function imageSize({ width, height }: PdfPageSize): PdfPageSize {
  if (!(width > 0 && height > 0)) return { width: PAGE_WIDTH_PIXELS, height: PAGE_WIDTH_PIXELS };
  const scale = Math.min(
    PAGE_WIDTH_PIXELS / width,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE_PIXELS / Math.max(width, height),
  );
  const pixels = (points: number) => Math.min(MAX_SIDE_PIXELS, Math.max(1, Math.round(points * scale)));
  return { width: pixels(width), height: pixels(height) };
}

const HI_RES_SCALE = 2;
const HI_RES_MAX_PIXELS = 16_000_000;

/** Size of the high-resolution image: twice as wide, as far as memory allows. */
export function hiResSize(size: PdfPageSize): PdfPageSize {
  const { width, height } = imageSize(size);
  const scale = Math.min(
    HI_RES_SCALE,
    Math.sqrt(HI_RES_MAX_PIXELS / (width * height)),
    MAX_SIDE_PIXELS / Math.max(width, height),
  );
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Reads the page sizes without loading the pages. */
export function readPageSizes(pdf: Pdf, sizeOf = imageSize): PdfPageSize[] {
  const { engine, document, pages } = pdf;
  return withPdfiumMemory(pdf, 8, (pointer) =>
    Array.from({ length: pages }, (_, index) => {
      const hasSize = engine.FPDF_GetPageSizeByIndexF(document, index, pointer);
      const read = (at: number) => engine.pdfium.getValue(pointer + at, 'float');
      return sizeOf(hasSize ? { width: read(0), height: read(4) } : { width: 0, height: 0 });
    }),
  );
}

export function withPage<T>({ engine, document, form }: Pdf, index: number, work: (page: number) => T): T {
  const page = engine.FPDF_LoadPage(document, index);
  if (page === 0) throw new Error(`page ${index + 1} cannot be opened`);
  if (form) engine.FORM_OnAfterLoadPage(page, form);
  try {
    return work(page);
  } finally {
    if (form) engine.FORM_OnBeforeClosePage(page, form);
    engine.FPDF_ClosePage(page);
  }
}

export function drawPage({ engine, form }: Pdf, page: number, { width, height }: PdfPageSize): Bitmap {
  const bitmap = engine.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new Error('no memory for the page');
  try {
    engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
    if (form) engine.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
    const start = engine.FPDFBitmap_GetBuffer(bitmap);
    const length = engine.FPDFBitmap_GetStride(bitmap) * height;
    // Copies the pixels, because the engine's memory may move while the image is encoded.
    const pixels = Buffer.from(pdfiumHeap(engine).subarray(start, start + length));
    return { width, height, pixels };
  } finally {
    engine.FPDFBitmap_Destroy(bitmap);
  }
}

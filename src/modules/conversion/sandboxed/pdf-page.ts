import { heapOf, type Pdf, withMemory } from './pdf-engine.ts';

/** Pages are drawn by pixels, never by resolution: a tiny file may claim a page of any size. */
const PAGE_WIDTH = 1240;
const MAX_PIXELS = 4_000_000;
const MAX_SIDE = 8_000;

/** FPDF_ANNOT: notes and stamps belong to the page; FPDF_REVERSE_BYTE_ORDER: RGBA. */
const RENDER_FLAGS = 0x01 | 0x10;
const WHITE = 0xffffffff;

export type Size = { width: number; height: number };
export type Bitmap = Size & { pixels: Buffer };

/** The size of a page's large image. */
function imageSize({ width, height }: Size): Size {
  if (!(width > 0 && height > 0)) return { width: PAGE_WIDTH, height: PAGE_WIDTH };
  const scale = Math.min(
    PAGE_WIDTH / width,
    Math.sqrt(MAX_PIXELS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
  const pixels = (points: number) => Math.min(MAX_SIDE, Math.max(1, Math.round(points * scale)));
  return { width: pixels(width), height: pixels(height) };
}

const SHARP = 2;
const SHARP_PIXELS = 16_000_000;

/** The size of the image for those who look closely: twice as wide, as far as memory allows. */
export function hiResSize(size: Size): Size {
  const { width, height } = imageSize(size);
  const scale = Math.min(SHARP, Math.sqrt(SHARP_PIXELS / (width * height)), MAX_SIDE / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Sizes of all pages, known without opening any of them. */
export function pageSizes(pdf: Pdf, sizeOf = imageSize): Size[] {
  const { engine, document, pages } = pdf;
  return withMemory(pdf, 8, (pointer) =>
    Array.from({ length: pages }, (_, index) => {
      const isKnown = engine.FPDF_GetPageSizeByIndexF(document, index, pointer);
      const read = (at: number) => engine.pdfium.getValue(pointer + at, 'float');
      return sizeOf(isKnown ? { width: read(0), height: read(4) } : { width: 0, height: 0 });
    }),
  );
}

/** Opens a page for as long as `work` takes. */
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

export function drawPage({ engine, form }: Pdf, page: number, { width, height }: Size): Bitmap {
  const bitmap = engine.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new Error('no memory for the page');
  try {
    engine.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
    if (form) engine.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
    const start = engine.FPDFBitmap_GetBuffer(bitmap);
    const length = engine.FPDFBitmap_GetStride(bitmap) * height;
    // A copy: the engine's memory may move while the picture is being encoded.
    const pixels = Buffer.from(heapOf(engine).subarray(start, start + length));
    return { width, height, pixels };
  } finally {
    engine.FPDFBitmap_Destroy(bitmap);
  }
}

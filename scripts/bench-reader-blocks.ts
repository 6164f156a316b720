import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';

const BLOCK = 64 * 1024;

/** The bytes of all blocks a viewer must fetch by ranges until the first page is drawn. */
export async function blocksToFirstPage(pdf: Buffer): Promise<{ bytes: number; pages: number }> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'));
  const engine = await init({
    wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length),
  });
  engine.PDFiumExt_Init();
  const { pdfium } = engine;
  const touched = new Set<number>();
  const read = (_parameter: number, position: number, target: number, length: number) => {
    const first = Math.floor(position / BLOCK);
    const last = Math.floor((position + length - 1) / BLOCK);
    for (let block = first; block <= last; block++) touched.add(block);
    const heap = (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
    heap.set(pdf.subarray(position, position + length), target);
    return 1;
  };
  const access = pdfium.wasmExports.malloc(12);
  pdfium.setValue(access, pdf.length, 'i32');
  pdfium.setValue(access + 4, pdfium.addFunction(read, 'iiiii'), 'i32');
  pdfium.setValue(access + 8, 0, 'i32');
  const document = engine.FPDF_LoadCustomDocument(access, '');
  const pages = engine.FPDF_GetPageCount(document);
  const page = engine.FPDF_LoadPage(document, 0);
  const bitmap = engine.FPDFBitmap_Create(620, 877, 0);
  engine.FPDF_RenderPageBitmap(bitmap, page, 0, 0, 620, 877, 0, 1);
  engine.FPDFBitmap_Destroy(bitmap);
  engine.FPDF_ClosePage(page);
  engine.FPDF_CloseDocument(document);
  const sizeOf = (block: number) => Math.min(BLOCK, pdf.length - block * BLOCK);
  return { bytes: [...touched].reduce((sum, block) => sum + sizeOf(block), 0), pages };
}

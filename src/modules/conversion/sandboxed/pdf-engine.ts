import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import { MAX_PAGES } from '../page-name.ts';
import { pdfiumHeap } from './pdfium-heap.ts';
import { RejectedFileError } from './rejection-reasons.ts';
import { installSystemFonts } from './system-fonts.ts';

const PASSWORD_ERROR = 4;
/** Bytes of the struct FPDF_FILEACCESS: length, callback, parameter. */
const FILE_ACCESS_BYTES = 12;
/** Upper bound of the size of FPDF_FORMFILLINFO; version 2, no callbacks. */
const FORM_INFO_BYTES = 512;

export type Pdf = {
  engine: WrappedPdfiumModule;
  document: number;
  form: number;
  pages: number;
  close(): void;
};

const wasmFile = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');

let enginePromise: Promise<WrappedPdfiumModule> | undefined;

/** May be called before the file exists. */
export function loadPdfiumEngine(): Promise<WrappedPdfiumModule> {
  const load = async () => {
    const wasm = readFileSync(wasmFile);
    const engine = await init({
      wasmBinary: wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length),
    });
    engine.PDFiumExt_Init();
    installSystemFonts(engine);
    return engine;
  };
  enginePromise ??= load();
  return enginePromise;
}

/** Reads blocks of the file on demand, so that its size costs no memory. */
export async function openPdf(file: string, password = ''): Promise<Pdf> {
  const engine = await loadPdfiumEngine();
  const { pdfium } = engine;
  const descriptor = openSync(file, 'r');
  const { size } = fstatSync(descriptor);
  const readBlock = (_parameter: number, position: number, target: number, length: number) => {
    const block = pdfiumHeap(engine).subarray(target, target + length);
    return readSync(descriptor, block, 0, length, position >>> 0) === length ? 1 : 0;
  };
  const access = pdfium.wasmExports.malloc(FILE_ACCESS_BYTES);
  pdfium.setValue(access, size, 'i32');
  pdfium.setValue(access + 4, pdfium.addFunction(readBlock, 'iiiii'), 'i32');
  pdfium.setValue(access + 8, 0, 'i32');
  const document = engine.FPDF_LoadCustomDocument(access, password);
  if (document === 0) {
    if (engine.FPDF_GetLastError() !== PASSWORD_ERROR) throw new RejectedFileError('damaged');
    throw new RejectedFileError(password ? 'wrongPassword' : 'encrypted');
  }
  const pages = engine.FPDF_GetPageCount(document);
  if (pages === 0) throw new RejectedFileError('damaged', 'no pages');
  if (pages > MAX_PAGES) throw new RejectedFileError('tooLarge', `${pages} pages`);
  const info = pdfium.wasmExports.malloc(FORM_INFO_BYTES);
  pdfiumHeap(engine).fill(0, info, info + FORM_INFO_BYTES);
  pdfium.setValue(info, 2, 'i32');
  // Without a form environment, values of form fields are not drawn.
  const form = engine.FPDFDOC_InitFormFillEnvironment(document, info);
  return {
    engine,
    document,
    form,
    pages,
    close() {
      if (form) engine.FPDFDOC_ExitFormFillEnvironment(form);
      engine.FPDF_CloseDocument(document);
      closeSync(descriptor);
    },
  };
}

/** A WebAssembly trap leaves the engine unusable. */
export const isWasmTrap = (error: unknown): boolean => error instanceof Error && error.name === 'RuntimeError';

/** Allocates memory of the engine while `work` runs. */
export function withPdfiumMemory<T>({ engine }: Pdf, bytes: number, work: (pointer: number) => T): T {
  const { wasmExports } = engine.pdfium;
  const pointer = wasmExports.malloc(bytes);
  try {
    return work(pointer);
  } finally {
    wasmExports.free(pointer);
  }
}

/** Reads a text that the engine writes into a buffer; the first call returns its length in bytes. */
export function readUtf16(pdf: Pdf, write: (pointer: number, length: number) => number): string {
  const length = write(0, 0);
  if (length <= 2) return '';
  return withPdfiumMemory(pdf, length, (pointer) => {
    write(pointer, length);
    return pdf.engine.pdfium.UTF16ToString(pointer).toWellFormed();
  });
}

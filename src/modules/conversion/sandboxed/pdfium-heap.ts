import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/** The engine's memory. Read it again after each call: the array is replaced when the memory grows. */
export const pdfiumHeap = ({ pdfium }: WrappedPdfiumModule): Uint8Array =>
  (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;

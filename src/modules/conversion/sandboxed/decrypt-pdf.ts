import { closeSync, openSync, writeSync } from 'node:fs';
import { openPdf, withPdfiumMemory } from './pdf-engine.ts';
import { pdfiumHeap } from './pdfium-heap.ts';
import { RejectedFileError } from './rejection-reasons.ts';

/** Flag of FPDF_SaveAsCopy. */
const REMOVE_SECURITY = 3;
/** Bytes of the struct FPDF_FILEWRITE: version and callback. */
const FILE_WRITE_BYTES = 8;

/** Saves a copy of a PDF without its encryption. */
export async function decryptPdf(file: string, target: string, password: string): Promise<void> {
  const pdf = await openPdf(file, password);
  const { engine, document } = pdf;
  const { pdfium } = engine;
  const descriptor = openSync(target, 'w');
  const writeBlock = (_writer: number, data: number, length: number) => {
    writeSync(descriptor, pdfiumHeap(engine).subarray(data, data + length));
    return 1;
  };
  try {
    const isSaved = withPdfiumMemory(pdf, FILE_WRITE_BYTES, (writer) => {
      pdfium.setValue(writer, 1, 'i32');
      pdfium.setValue(writer + 4, pdfium.addFunction(writeBlock, 'iiii'), 'i32');
      return engine.FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY);
    });
    if (!isSaved) throw new RejectedFileError('damaged', 'the copy could not be saved');
  } finally {
    closeSync(descriptor);
    pdf.close();
  }
}

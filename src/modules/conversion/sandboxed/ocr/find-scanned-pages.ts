import { writeFileSync } from 'node:fs';
import type { ConverterEvent } from '../events.ts';
import { isWasmTrap, openPdf, type Pdf } from '../pdf-engine.ts';
import { withPage } from '../pdf-page.ts';
import { readPdfWords } from '../pdf-words.ts';
import { needsRecognition } from './needs-recognition.ts';

/** Writes the numbers of the pages whose text has to be recognized, for conversions that did not store them. */
export async function findScannedPages(
  { file, folder }: { file: string; folder: string },
  emit: (event: ConverterEvent) => void,
): Promise<void> {
  const pdf = await openPdf(file);
  const scannedPages: number[] = [];
  for (let page = 1; page <= pdf.pages; page++) {
    emit({ type: 'start', page });
    if (isScannedPage(pdf, page)) scannedPages.push(page);
  }
  pdf.close();
  writeFileSync(`${folder}/scanned-pages.json`, JSON.stringify(scannedPages));
}

function isScannedPage(pdf: Pdf, page: number): boolean {
  try {
    return withPage(pdf, page - 1, (handle) => needsRecognition(pdf, handle, readPdfWords(pdf, handle)));
  } catch (error) {
    if (isWasmTrap(error)) throw error;
    return false;
  }
}

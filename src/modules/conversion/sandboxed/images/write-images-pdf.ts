import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import type { ConverterEvent } from '../events.ts';
import { createPdfWriter, type PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { createDamagedPages } from './add-damaged-page.ts';
import { addImagePage, listImagePages } from './image-page.ts';

type Emit = (event: ConverterEvent) => void;
export type ImagesPdfOptions = {
  /** A file with images, or a folder with several files. */
  file: string;
  folder: string;
};

/** Pages of one file; a book in images has fewer. */
export const MAX_IMAGE_PAGES = 3_000;

/** Adds one page of the document; throws `RejectedFileError` when it cannot be shown. */
export type AddPage = () => Promise<void>;

/** Writes a PDF whose pages are the images of a file. */
export async function writeImagesPdf({ file, folder }: ImagesPdfOptions, emit: Emit): Promise<void> {
  const writer = createPdfWriter(`${folder}/pages.pdf`);
  try {
    const addPages: AddPage[] = [];
    for (const image of await listFiles(file)) {
      for (const page of await listImagePages(image, MAX_IMAGE_PAGES + 1))
        addPages.push(() => addImagePage(writer, image, page));
      if (addPages.length > MAX_IMAGE_PAGES) throw new RejectedFileError('tooLarge', `${addPages.length} pages`);
    }
    await addPagesOrNotes(writer, addPages, emit);
    writer.end();
  } finally {
    writer.close();
  }
}

export async function listFiles(file: string): Promise<string[]> {
  if (!(await stat(file)).isDirectory()) return [file];
  const names = await readdir(file);
  return names.toSorted(compareNaturally).map((name) => path.join(file, name));
}

/** A blank page with a note replaces a page that cannot be shown. The document is rejected when no page can be shown. */
export async function addPagesOrNotes(writer: PdfWriter, addPages: AddPage[], emit: Emit): Promise<void> {
  const addDamagedPage = createDamagedPages(writer);
  let firstRejection: RejectedFileError | null = null;
  let shownPages = 0;
  for (const [index, addPage] of addPages.entries()) {
    emit({ type: 'start', page: index + 1 });
    try {
      await addPage();
      shownPages++;
    } catch (error) {
      if (!(error instanceof RejectedFileError)) throw error;
      firstRejection ??= error;
      addDamagedPage(error.reason);
    }
  }
  if (shownPages === 0) throw firstRejection ?? new RejectedFileError('empty');
}

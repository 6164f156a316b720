import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import { drawBrokenPagePlaceholder } from '../draw-broken-page-placeholder.ts';
import type { ConverterEvent } from '../events.ts';
import { createPdfWriter, type PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { addImagePage, countImagePages } from './image-page.ts';

type Emit = (event: ConverterEvent) => void;
export type ImagesPdfOptions = {
  /** A file with images, or a folder with several files. */
  file: string;
  folder: string;
};

/** Pages of one file; a book in images has fewer. */
export const MAX_IMAGE_PAGES = 3_000;
/** Size of the placeholder for an image that cannot be shown. */
const PLACEHOLDER_SIZE = { width: 600, height: 800 };

/** Adds one page of the document; throws `RejectedFileError` when it cannot be shown. */
export type AddPage = () => Promise<void>;

/** Writes a PDF whose pages are the images of a file. */
export async function writeImagesPdf({ file, folder }: ImagesPdfOptions, emit: Emit): Promise<void> {
  const writer = createPdfWriter(`${folder}/pages.pdf`);
  try {
    const addPages: AddPage[] = [];
    for (const image of await listFiles(file)) {
      const pages = await countImagePages(image);
      if (addPages.length + pages > MAX_IMAGE_PAGES) throw new RejectedFileError('tooLarge', `${pages} pages`);
      for (let page = 0; page < pages; page++) addPages.push(() => addImagePage(writer, image, { page }));
    }
    await addPagesOrPlaceholders(writer, addPages, emit);
    writer.end();
  } finally {
    writer.close();
  }
}

async function listFiles(file: string): Promise<string[]> {
  if (!(await stat(file)).isDirectory()) return [file];
  const names = await readdir(file);
  return names.toSorted(compareNaturally).map((name) => path.join(file, name));
}

/** A placeholder replaces a page that cannot be shown. The document is rejected when no page can be shown. */
export async function addPagesOrPlaceholders(writer: PdfWriter, addPages: AddPage[], emit: Emit): Promise<void> {
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
      await addPlaceholder(writer);
    }
  }
  if (shownPages === 0) throw firstRejection ?? new RejectedFileError('empty');
}

async function addPlaceholder(writer: PdfWriter): Promise<void> {
  const { pixels, ...size } = await drawBrokenPagePlaceholder(PLACEHOLDER_SIZE);
  const gray = await sharp(pixels, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const picture = writer.addPixels({ ...size, channels: 1, pixels: gray });
  writer.addPage({
    ...size,
    content: `q ${size.width} 0 0 ${size.height} 0 0 cm /${picture.name} Do Q`,
    resources: [picture],
  });
}

import path, { posix } from 'node:path';
import { DomUtils } from 'htmlparser2';
import { compareNaturally } from '#platform/contract/compare-naturally.ts';
import type { ConverterEvent } from '../events.ts';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { createPdfWriter, type PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { isPageName } from './comic-page-name.ts';
import { extractHeicPages, isHeicName, listDecodedPages } from './heic-pages.ts';
import { addImagePage, type ImagePage, listImagePages, ONLY_PAGE } from './image-page.ts';
import { type AddPage, addPagesOrNotes, type ImagesPdfOptions, MAX_IMAGE_PAGES } from './write-images-pdf.ts';

/** The only format with several pages. */
const TIFF_NAME = /\.tiff?$/i;
const MAX_IMAGE_BYTES = 100 * 1024 * 1024;
const MAX_INFO_BYTES = 1024 * 1024;
const MAX_TITLE_LENGTH = 200;
/** In the work folder. */
const HEIC_FOLDER = 'heic';

type ComicPdfOptions = ImagesPdfOptions & {
  /** Whether the HEIC images were extracted by an earlier run, and decoded. */
  isHeicDecoded: boolean;
};

/**
 * Writes a PDF with the images of an archive, in the natural order of their names. If some are HEIC images, which another
 * program decodes, the first run only extracts these.
 */
export async function writeComicPdf(
  { file, folder, isHeicDecoded }: ComicPdfOptions,
  emit: (event: ConverterEvent) => void,
) {
  const zip = await openZip(file);
  try {
    const names = zip.names.filter(isPageName).toSorted(compareNaturally);
    if (names.length === 0) throw new RejectedFileError('noImages');
    if (names.length > MAX_IMAGE_PAGES) throw new RejectedFileError('tooLarge', `${names.length} pages`);
    const heicFolder = path.join(folder, HEIC_FOLDER);
    if (!isHeicDecoded && names.some(isHeicName)) await extractHeicPages(zip, names, heicFolder, emit);
    else await writePages({ zip, names, heicFolder, target: `${folder}/pages.pdf` }, emit);
  } finally {
    zip.close();
  }
}

type Pages = { zip: Zip; names: readonly string[]; heicFolder: string; target: string };

async function writePages({ zip, names, heicFolder, target }: Pages, emit: (event: ConverterEvent) => void) {
  const writer = createPdfWriter(target);
  try {
    const addPages: AddPage[] = [];
    for (const [index, name] of names.entries()) {
      if (isHeicName(name)) {
        const heicPage = { zip, name, page: index + 1, folder: heicFolder };
        addPages.push(...(await listDecodedPages(heicPage, (image) => addImagePage(writer, image))));
        continue;
      }
      const pages = TIFF_NAME.test(name) ? await listPagesOf(zip, name) : [ONLY_PAGE];
      for (const page of pages) addPages.push(() => addMember(writer, zip, { name, page }));
    }
    if (addPages.length > MAX_IMAGE_PAGES) throw new RejectedFileError('tooLarge', `${addPages.length} pages`);
    await addPagesOrNotes(writer, addPages, emit);
    writer.end({ title: await readTitle(zip) });
  } finally {
    writer.close();
  }
}

type MemberPage = { name: string; page: ImagePage };

async function addMember(writer: PdfWriter, zip: Zip, { name, page }: MemberPage): Promise<void> {
  const bytes = await zip.read(name, MAX_IMAGE_BYTES);
  if (bytes) await addImagePage(writer, bytes, page);
}

/** A damaged image counts as one page. */
async function listPagesOf(zip: Zip, name: string): Promise<ImagePage[]> {
  try {
    const bytes = await zip.read(name, MAX_IMAGE_BYTES);
    return bytes ? await listImagePages(bytes, MAX_IMAGE_PAGES) : [ONLY_PAGE];
  } catch (error) {
    if (error instanceof RejectedFileError) return [ONLY_PAGE];
    throw error;
  }
}

/** The title in ComicInfo.xml, which comic readers write; empty if there is none. */
async function readTitle(zip: Zip): Promise<string> {
  const name = zip.names.find((path) => posix.basename(path).toLowerCase() === 'comicinfo.xml');
  const nodes = parseXml(name ? await zip.read(name, MAX_INFO_BYTES) : null);
  const read = (element: string) => {
    const [first] = findElementsByLocalName(nodes, element);
    return first ? DomUtils.textContent(first).replace(/\s+/g, ' ').trim() : '';
  };
  const [series, number, title] = [read('Series'), read('Number'), read('Title')];
  const volume = [series, series && number].filter(Boolean).join(' ');
  return [volume, title === series ? '' : title].filter(Boolean).join('：').slice(0, MAX_TITLE_LENGTH);
}

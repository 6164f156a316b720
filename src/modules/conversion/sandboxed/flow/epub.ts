import { decodeText, detectEncoding } from '../../detect/text-encoding.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { findImageSources, resolvePath, rewriteLink } from './book-paths.ts';
import { type BookPackage, readEpubPackage } from './epub-package.ts';
import { readToc } from './epub-toc.ts';
import type { FlowOutput, FlowWriter } from './flow-writer.ts';
import { splitHtmlIntoBlocks } from './html-blocks.ts';
import { createImageStore } from './image-store.ts';
import { openZip, type Zip } from './zip-reader.ts';

const MAX_CHAPTER_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_BYTES = 128 * 1024 * 1024;

/** Reads the chapters of an EPUB in reading order, sanitized, with their images. */
export async function readEpub(file: string, writer: FlowWriter, { folder, emit }: FlowOutput) {
  const zip = await openZip(file);
  await rejectProtected(zip);
  const book = await readEpubPackage(zip);
  const images = createImageStore(folder, emit);
  let totalBytes = 0;
  for (const chapter of book.spine) {
    const bytes = await zip.read(chapter, MAX_CHAPTER_BYTES);
    if (!bytes) continue;
    totalBytes += bytes.length;
    if (totalBytes > MAX_TEXT_BYTES) throw new RejectedFileError('tooLarge');
    const html = decodeText(bytes, detectEncoding(bytes) ?? 'utf-8');
    for (const source of findImageSources(html)) {
      const path = resolvePath(chapter, source);
      if (path) await images.add(path, await readImage(zip, path));
    }
    writer.beginFile(chapter);
    const rewrite = {
      link: (href: string) => rewriteLink(chapter, href),
      picture: (source: string) => images.nameOf(resolvePath(chapter, source) ?? ''),
    };
    for (const block of splitHtmlIntoBlocks(html, rewrite)) writer.add(block, chapter);
  }
  const outline = await readOutline(zip, book, writer);
  const cover = book.cover ? await readImage(zip, book.cover) : null;
  zip.close();
  return { title: book.title, author: book.author, outline, ...(cover && { cover }) };
}

/** Encrypted fonts are harmless; any other encrypted file means copy protection. */
async function rejectProtected(zip: Zip): Promise<void> {
  const list = await zip.read('META-INF/encryption.xml');
  if (!list) return;
  const encryptedFiles = [...list.toString('utf8').matchAll(/CipherReference[^>]*URI="([^"]*)"/g)];
  if (encryptedFiles.some(([, name = '']) => !/\.(?:otf|ttf|woff2?)$/i.test(name))) throw new RejectedFileError('drm');
}

/** An image that is too large is left out; the book is still converted. */
const readImage = (zip: Zip, path: string) =>
  zip.read(path, 32 * 1024 * 1024).catch((error: unknown) => {
    if (error instanceof RejectedFileError) return null;
    throw error;
  });

async function readOutline(zip: Zip, book: BookPackage, writer: FlowWriter): Promise<RenditionMeta['outline']> {
  const entries = await readToc(zip, book);
  return entries.map(({ depth, title, target }) => ({ depth, title, page: writer.pageOf(target) }));
}

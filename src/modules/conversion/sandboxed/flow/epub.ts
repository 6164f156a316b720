import { decodeText, detectEncoding } from '../../detect/text-encoding.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { linkOf, pictureSources, resolvePath } from './book-paths.ts';
import { type BookPackage, readPackage } from './epub-package.ts';
import { readToc } from './epub-toc.ts';
import type { FlowWriter } from './flow-writer.ts';
import { htmlBlocks } from './html-blocks.ts';
import { pictureStore } from './image-store.ts';
import { openZip, type Zip } from './zip-reader.ts';

const MAX_CHAPTER_BYTES = 16 * 1024 * 1024;
const MAX_TEXT_BYTES = 128 * 1024 * 1024;

type Tools = { folder: string; say: (event: ConverterEvent) => void };

/** An EPUB: its chapters in reading order, safe, with their pictures. */
export async function readEpub(file: string, writer: FlowWriter, { folder, say }: Tools) {
  const zip = await openZip(file);
  await refuseProtected(zip);
  const book = await readPackage(zip);
  const pictures = pictureStore(folder, say);
  let length = 0;
  for (const chapter of book.spine) {
    const bytes = await zip.read(chapter, MAX_CHAPTER_BYTES);
    if (!bytes) continue;
    length += bytes.length;
    if (length > MAX_TEXT_BYTES) throw new RejectedFileError('tooLarge');
    const html = decodeText(bytes, detectEncoding(bytes) ?? 'utf-8');
    for (const source of pictureSources(html)) {
      const path = resolvePath(chapter, source);
      if (path) await pictures.add(path, await readPicture(zip, path));
    }
    writer.beginFile(chapter);
    const rewrite = {
      link: (href: string) => linkOf(chapter, href),
      picture: (source: string) => pictures.nameOf(resolvePath(chapter, source) ?? ''),
    };
    for (const block of htmlBlocks(html, rewrite)) writer.add(block, chapter);
  }
  const outline = await outlineOf(zip, book, writer);
  const cover = book.cover ? await readPicture(zip, book.cover) : null;
  zip.close();
  return { title: book.title, author: book.author, outline, ...(cover && { cover }) };
}

/** Fonts may be hidden, which does not matter here; anything else encrypted is protected. */
async function refuseProtected(zip: Zip): Promise<void> {
  const list = await zip.read('META-INF/encryption.xml');
  if (!list) return;
  const hidden = [...list.toString('utf8').matchAll(/CipherReference[^>]*URI="([^"]*)"/g)];
  if (hidden.some(([, name = '']) => !/\.(?:otf|ttf|woff2?)$/i.test(name))) throw new RejectedFileError('drm');
}

/** A picture too large to read is left out, not the book. */
const readPicture = (zip: Zip, path: string) =>
  zip.read(path, 32 * 1024 * 1024).catch((error: unknown) => {
    if (error instanceof RejectedFileError) return null;
    throw error;
  });

async function outlineOf(zip: Zip, book: BookPackage, writer: FlowWriter): Promise<RenditionMeta['outline']> {
  const entries = await readToc(zip, book);
  return entries.map(({ depth, title, place }) => ({ depth, title, page: writer.pageOf(place) }));
}

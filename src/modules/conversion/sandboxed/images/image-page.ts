import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import type { PdfPageSize } from '../pdf-page.ts';
import type { PdfWord } from '../pdf-writer/invisible-text.ts';
import type { PdfResource, PdfWriter } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { decodeBmp, readBmpHeader } from './bmp.ts';
import { orientationMatrix, swapsSides } from './orientation.ts';
import { readPngImageData } from './png-image-data.ts';
import { listTiffPages } from './tiff-pages.ts';

/** A file, or the bytes of one in an archive. */
export type ImageSource = string | Buffer;

/** More pixels than the largest page image shows. */
const MAX_PAGE_PIXELS = 16_000_000;
/** A larger image is refused by the size that it declares, before it is decoded. */
const MAX_PIXELS = 150_000_000;
/** For formats whose decoder holds the whole image in memory. */
const MAX_PIXELS_IN_MEMORY = 50_000_000;
const FORMATS_IN_MEMORY: readonly string[] = ['webp', 'gif', 'bmp'];
const MAX_SIDE_PIXELS = 60_000;
const LIBRARY_FORMATS: readonly string[] = ['jpeg', 'png', 'webp', 'gif', 'tiff'];
/** Size of a pixel on the page, as in a scan with 200 dpi. */
const POINTS_PER_PIXEL = 72 / 200;
/** A page with more bytes for each pixel is a photograph, which is smaller with lossy encoding. */
const MAX_LOSSLESS_BYTES_PER_PIXEL = 1;
const JPEG_QUALITY = 90;
/** The decoder reads the whole file, but computes only a 64th of the pixels. */
const CHECK_SCALE = 8;
const WHITE = '#ffffff';

sharp.concurrency(1);
sharp.cache(false);

/** An image with the values of its header. */
type OpenImage = {
  source: ImageSource;
  metadata: Pick<Metadata, 'width' | 'height' | 'orientation' | 'channels' | 'space' | 'icc'> & { format: string };
  page: number;
};

/** A page of an image file, counted from 0. */
export type ImagePage = { page: number; isIncomplete: boolean };
export const ONLY_PAGE: ImagePage = { page: 0, isIncomplete: false };

type ImagePageOptions = ImagePage & {
  /** Returns the text in the image for a page of this size in points. */
  words?: (size: PdfPageSize) => PdfWord[];
};

/** Adds a page that shows the image. Throws `RejectedFileError` for an image that is damaged or too large. */
export async function addImagePage(
  writer: PdfWriter,
  source: ImageSource,
  { page, isIncomplete, words = () => [] }: ImagePageOptions = ONLY_PAGE,
): Promise<void> {
  if (isIncomplete) throw new RejectedFileError('incomplete', `data of page ${page + 1} is missing`);
  const image = await openImage(source, page);
  const { width, height, orientation = 1 } = image.metadata;
  const picture = isShownUnchanged(image)
    ? await addUnchangedJpeg(writer, image)
    : await addEncodedImage(writer, image);
  const [pageWidth, pageHeight] = (swapsSides(orientation) ? [height, width] : [width, height]).map(toPoints);
  const size = { width: pageWidth ?? 1, height: pageHeight ?? 1 };
  const content = `q ${orientationMatrix(orientation, size).join(' ')} cm /${picture.name} Do Q`;
  writer.addPage({ ...size, content, resources: [picture], words: words(size) });
}

const toPoints = (pixels: number) => Math.max(1, pixels * POINTS_PER_PIXEL);

/** The pages of an image file; only TIFF has several, because the first frame of an animation is shown. */
export async function listImagePages(source: ImageSource, maxPages: number): Promise<ImagePage[]> {
  if (!TIFF_SIGNATURE.test(await readSignature(source))) return [ONLY_PAGE];
  const pages = listTiffPages(source, maxPages);
  return pages.length === 0 ? [ONLY_PAGE] : pages.map((tiffPage, page) => ({ page, ...tiffPage }));
}

const BMP_SIGNATURE = 'BM';
const TIFF_SIGNATURE = /^(?:II[*+]|MM\0[*+])/;
const SIGNATURE_BYTES = 4;

const isBmp = async (source: ImageSource): Promise<boolean> => (await readSignature(source)).startsWith(BMP_SIGNATURE);

async function readSignature(source: ImageSource): Promise<string> {
  if (typeof source !== 'string') return source.toString('latin1', 0, SIGNATURE_BYTES);
  const file = await open(source);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function openImage(source: ImageSource, page: number): Promise<OpenImage> {
  const metadata = (await isBmp(source)) ? readBmpMetadata(source) : await readMetadata(source, page);
  const { format, width, height } = metadata;
  if (!(width > 0 && height > 0)) throw new RejectedFileError('damaged', 'an image without pixels');
  const maxPixels = FORMATS_IN_MEMORY.includes(format) ? MAX_PIXELS_IN_MEMORY : MAX_PIXELS;
  if (width * height > maxPixels || Math.max(width, height) > MAX_SIDE_PIXELS)
    throw new RejectedFileError('tooLarge', `${width} × ${height} pixels`);
  return { source, metadata, page };
}

function readBmpMetadata(source: ImageSource): OpenImage['metadata'] {
  const { width, height } = readBmpHeader(readBytes(source));
  return { format: 'bmp', width, height, channels: 3, space: 'srgb' };
}

async function readMetadata(source: ImageSource, page: number): Promise<OpenImage['metadata']> {
  const metadata = await sharp(source, { limitInputPixels: false, page }).metadata().catch(rejectImage);
  if (!LIBRARY_FORMATS.includes(metadata.format)) throw new RejectedFileError('mismatch', metadata.format);
  return metadata;
}

const readBytes = (source: ImageSource): Buffer => (typeof source === 'string' ? readFileSync(source) : source);

/** PDF does not show the colour profile of the file; a large JPEG would need too much memory. */
function isShownUnchanged({ metadata: { format, width, height, channels, icc } }: OpenImage): boolean {
  const isPlainColour = (channels === 1 || channels === 3) && (!icc || icc.includes('sRGB'));
  return format === 'jpeg' && isPlainColour && width * height <= 2 * MAX_PAGE_PIXELS;
}

async function addUnchangedJpeg(writer: PdfWriter, { source, metadata }: OpenImage): Promise<PdfResource> {
  const { width, height, channels } = metadata;
  const bytes = readBytes(source);
  // Finds a truncated file.
  await sharp(bytes, { failOn: 'truncated' })
    .resize({ width: Math.ceil(width / CHECK_SCALE) })
    .raw()
    .toBuffer()
    .catch(rejectImage);
  return writer.addJpeg(bytes, { width, height, channels: channels === 1 ? 1 : 3 });
}

async function addEncodedImage(writer: PdfWriter, image: OpenImage): Promise<PdfResource> {
  const { metadata } = image;
  const isLossySource = metadata.format === 'jpeg';
  if (!isLossySource) {
    const png = await decodeImage(image)
      .png({ compressionLevel: 5 })
      .toBuffer({ resolveWithObject: true })
      .catch(rejectImage);
    const { width, height } = png.info;
    if (png.data.length <= width * height * MAX_LOSSLESS_BYTES_PER_PIXEL)
      return writer.addPng(readPngImageData(png.data), { width, height, channels: png.info.channels === 1 ? 1 : 3 });
  }
  const { data, info } = await decodeImage(image)
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true })
    .catch(rejectImage);
  return writer.addJpeg(data, { width: info.width, height: info.height, channels: info.channels === 1 ? 1 : 3 });
}

/** The image with 8 bits of gray or RGB, without transparency, not larger than a page needs. */
function decodeImage({ source, metadata, page }: OpenImage) {
  const { format, width, height, space } = metadata;
  const scale = Math.min(1, Math.sqrt(MAX_PAGE_PIXELS / (width * height)));
  return openPixels(source, format, page)
    .flatten({ background: WHITE })
    .resize({
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
      fit: 'fill',
    })
    .toColourspace(space === 'b-w' || space === 'grey16' ? 'b-w' : 'srgb');
}

function openPixels(source: ImageSource, format: string, page: number) {
  if (format !== 'bmp')
    return sharp(source, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'truncated', page });
  const bytes = readBytes(source);
  const header = readBmpHeader(bytes);
  return sharp(decodeBmp(bytes, header), { raw: { width: header.width, height: header.height, channels: 3 } });
}

function rejectImage(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RejectedFileError) throw error;
  throw new RejectedFileError(
    /premature|truncated|end of (?:file|stream|input)|not enough/i.test(message) ? 'incomplete' : 'damaged',
    message,
  );
}

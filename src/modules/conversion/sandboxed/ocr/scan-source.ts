import { closeSync, openSync, readSync } from 'node:fs';
import sharp, { type Metadata } from 'sharp';
import { isWasmTrap, openPdf } from '../pdf-engine.ts';
import { drawPage, type PdfPageSize, readPageSizes, withPage } from '../pdf-page.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ScanBitmap } from './scan-bitmap.ts';

export type ScanSource = {
  pages: number;
  /** Null for a page that cannot be drawn. */
  draw(page: number): Promise<ScanBitmap | null>;
  close(): void;
};

/** A4 at 200 dpi. */
const MAX_SIDE_PIXELS = 2_340;
/** A scan may declare a page of any size, so a small page is drawn larger than at 200 dpi. */
const MIN_SIDE_PIXELS = 1_600;
const PIXELS_PER_POINT = 200 / 72;
const MAX_IMAGE_PIXELS = 120_000_000;
/** Decoders of other formats are not needed. */
const IMAGE_FORMATS: readonly string[] = ['jpeg', 'png', 'webp', 'tiff', 'gif'];
const PDF_SIGNATURE = '%PDF-';
/** Other programs also accept the signature within the first kilobyte. */
const SIGNATURE_BYTES = 1_024;

sharp.concurrency(1);
sharp.cache(false);

export const openScanSource = (file: string): Promise<ScanSource> =>
  startsAsPdf(file) ? openPdfSource(file) : openImageSource(file);

function startsAsPdf(file: string): boolean {
  const start = Buffer.alloc(SIGNATURE_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    return start.toString('latin1', 0, readSync(descriptor, start)).includes(PDF_SIGNATURE);
  } finally {
    closeSync(descriptor);
  }
}

function drawingSize({ width, height }: PdfPageSize): PdfPageSize {
  if (!(width > 0 && height > 0)) return { width: MIN_SIDE_PIXELS, height: MIN_SIDE_PIXELS };
  const longSide = Math.max(width, height);
  const scale = Math.min(MAX_SIDE_PIXELS / longSide, Math.max(PIXELS_PER_POINT, MIN_SIDE_PIXELS / longSide));
  const pixels = (points: number) => Math.min(MAX_SIDE_PIXELS, Math.max(1, Math.round(points * scale)));
  return { width: pixels(width), height: pixels(height) };
}

async function openPdfSource(file: string): Promise<ScanSource> {
  const pdf = await openPdf(file);
  const sizes = readPageSizes(pdf, drawingSize);
  return {
    pages: pdf.pages,
    async draw(page) {
      const size = sizes[page - 1];
      if (!size) return null;
      try {
        const { pixels } = withPage(pdf, page - 1, (handle) => drawPage(pdf, handle, size));
        return { ...size, pixels: await removeAlpha(size, pixels) };
      } catch (error) {
        if (isWasmTrap(error)) throw error;
        return null;
      }
    },
    close: pdf.close,
  };
}

const removeAlpha = ({ width, height }: PdfPageSize, pixels: Buffer): Promise<Buffer> =>
  sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .raw()
    .toBuffer();

async function openImageSource(file: string): Promise<ScanSource> {
  const { pages = 1 } = await readImageMetadata(file);
  return {
    pages,
    draw: (page) => (page <= pages ? drawImage(file, page) : Promise.resolve(null)),
    close() {},
  };
}

async function readImageMetadata(file: string): Promise<Metadata> {
  const metadata = await sharp(file, { limitInputPixels: false }).metadata().catch(toDamaged);
  const { format, width, height } = metadata;
  if (!IMAGE_FORMATS.includes(format)) throw new RejectedFileError('mismatch', format);
  if (!(width > 0 && height > 0)) throw new RejectedFileError('damaged', 'an image without pixels');
  if (width * height > MAX_IMAGE_PIXELS) throw new RejectedFileError('tooLarge', `${width} x ${height} pixels`);
  return metadata;
}

async function drawImage(file: string, page: number): Promise<ScanBitmap> {
  const { data, info } = await sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS, page: page - 1 })
    .autoOrient()
    .resize({ width: MAX_SIDE_PIXELS, height: MAX_SIDE_PIXELS, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(toDamaged);
  return { width: info.width, height: info.height, pixels: data };
}

function toDamaged(error: unknown): never {
  throw new RejectedFileError('damaged', error instanceof Error ? error.message : String(error));
}

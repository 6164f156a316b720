import { mkdirSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { isWasmTrap, openPdf, type Pdf } from '../pdf-engine.ts';
import { drawPage, withPage } from '../pdf-page.ts';
import { type DrawingSlides, readDrawingSlides } from './drawing-slides.ts';
import { PICTURE_FOLDER } from './picture-list.ts';

type DrawOptions = { file: string; folder: string };

const MAX_SCALE = 2;
const MAX_PAGE_PIXELS = 8_000_000;

/** Draws each drawing from the PDF of the presentation that `extractPictures` wrote. One that fails is left out. */
export async function drawSlides({ file, folder }: DrawOptions): Promise<void> {
  const slides = readDrawingSlides(folder);
  mkdirSync(`${folder}/${PICTURE_FOLDER}/i`, { recursive: true });
  const pdf = await openPdf(file);
  for (const [index, drawing] of slides.drawings.slice(0, pdf.pages).entries()) {
    try {
      writeFileSync(`${folder}/${PICTURE_FOLDER}/${drawing.name}`, await drawSlide(pdf, index, slides));
    } catch (error) {
      if (isWasmTrap(error)) throw error;
    }
  }
  pdf.close();
}

function drawSlide(pdf: Pdf, index: number, slides: DrawingSlides): Promise<Buffer> {
  const { width = 1, height = 1 } = slides.drawings[index] ?? {};
  const scale = Math.min(MAX_SCALE, Math.sqrt(MAX_PAGE_PIXELS / (slides.width * slides.height)));
  const scaledLength = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const page = { width: scaledLength(slides.width), height: scaledLength(slides.height) };
  const { pixels } = withPage(pdf, index, (handle) => drawPage(pdf, handle, page));
  return sharp(pixels, { raw: { ...page, channels: 4 } })
    .extract({
      left: 0,
      top: 0,
      width: Math.min(page.width, scaledLength(width)),
      height: Math.min(page.height, scaledLength(height)),
    })
    .removeAlpha()
    .webp({ lossless: true, effort: 2 })
    .toBuffer();
}

import sharp from 'sharp';
import type { Bitmap, PdfPageSize } from './pdf-page.ts';

/** Placeholder image for a page that cannot be drawn. */
export async function drawBrokenPagePlaceholder({ width, height }: PdfPageSize): Promise<Bitmap> {
  const size = Math.max(12, Math.round(width / 28));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f7f7f5"/>
    <text x="50%" y="50%" font-family="Noto Sans CJK SC, sans-serif" font-size="${size}"
      fill="#8a8a85" text-anchor="middle">本页无法显示</text></svg>`;
  const pixels = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  return { width, height, pixels };
}

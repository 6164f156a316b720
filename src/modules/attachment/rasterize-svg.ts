import { loadImageLibrary } from '#platform/server/load-image-library.ts';
import { fileErrors } from './attachment.contract.ts';
import { MAX_PIXELS } from './inspect-image.ts';

const MAX_SVG_BYTES = 1024 * 1024;
/** Large enough for the icon of an installed site. */
const SIDE_PIXELS = 512;
/** An `svg` element that only a declaration, comments and a document type precede. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*|<!DOCTYPE svg[^>[]*>\s*)*<svg[\s>]/is;

/** Draws an SVG picture as PNG, because an SVG may contain scripts; other bytes are returned unchanged. */
export async function rasterizeSvg(bytes: Buffer): Promise<Buffer> {
  if (!SVG_START.test(bytes.toString('utf8', 0, 4096))) return bytes;
  if (bytes.length > MAX_SVG_BYTES) throw fileErrors.tooLarge();
  const openImage = await loadImageLibrary();
  try {
    return await openImage(bytes, { limitInputPixels: MAX_PIXELS })
      .resize({ width: SIDE_PIXELS, height: SIDE_PIXELS, fit: 'inside' })
      .png()
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch {
    throw fileErrors.notImage('SVG 图片无法读取，请转换为 png 后上传');
  }
}

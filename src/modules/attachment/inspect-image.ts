import sharp from 'sharp';
import { fileErrors } from './attachment.contract.ts';
import { decodeBmp } from './decode-bmp.ts';
import { inspectIcon } from './inspect-icon.ts';

export const MAX_PIXELS = 40_000_000;

type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'bmp' | 'ico';
const magic: [PictureFormat, (head: string) => boolean][] = [
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['gif', (head) => /^GIF8[79]a/.test(head)],
  ['webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
  ['bmp', (head) => head.startsWith('BM')],
  ['ico', (head) => head.startsWith('\0\0\x01\0')],
];

/** A picture that may be decoded: its kind is known by content and its size is bounded. */
export type Inspected = {
  format: PictureFormat;
  width: number;
  height: number;
  /** More than one in an animation. */
  frames: number;
};

/** Reads the head only; the name and the type a browser claims play no part. */
export async function inspectImage(bytes: Buffer): Promise<Inspected> {
  const head = bytes.toString('latin1', 0, 16);
  const format = magic.find(([, matches]) => matches(head))?.[0];
  if (!format) throw fileErrors.notImage();
  const { width, height, frames } = await measure(format, bytes);
  if (!(width > 0 && height > 0 && frames > 0)) throw fileErrors.notImage();
  if (width * height * frames > MAX_PIXELS) throw fileErrors.tooManyPixels();
  return { format, width, height, frames };
}

async function measure(format: PictureFormat, bytes: Buffer) {
  if (format === 'ico') return { ...inspectIcon(bytes), frames: 1 };
  if (format === 'bmp') return { ...decodeBmp(bytes).size, frames: 1 };
  try {
    const found = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (found.format !== format) throw fileErrors.notImage();
    const { width = 0, height = 0, pages = 1, pageHeight = height } = found;
    return { width, height: pageHeight, frames: pages };
  } catch {
    // Whatever the decoder dislikes, for the person it is not a picture.
    throw fileErrors.notImage();
  }
}

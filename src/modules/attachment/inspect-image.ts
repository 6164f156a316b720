import { loadImageLibrary } from '#platform/server/load-image-library.ts';
import { fileErrors } from './attachment.contract.ts';

export const MAX_PIXELS = 40_000_000;

type PictureFormat = 'jpeg' | 'png' | 'gif' | 'webp';
const signatures: [PictureFormat, (head: string) => boolean][] = [
  ['jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['gif', (head) => /^GIF8[79]a/.test(head)],
  ['webp', (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8)],
];
/** Formats that users may expect to be accepted, so that the error names them. */
const unsupportedSignatures: [string, (head: string) => boolean][] = [
  ['bmp', (head) => head.startsWith('BM')],
  ['ico', (head) => head.startsWith('\0\0\x01\0')],
];

/** Detected format and bounded size of a picture that may be decoded. */
export type ImageInfo = {
  format: PictureFormat;
  width: number;
  height: number;
  /** Greater than one for an animation. */
  frames: number;
};

/** Reads only the header; the file name and the declared type are ignored. */
export async function inspectImage(bytes: Buffer): Promise<ImageInfo> {
  const head = bytes.toString('latin1', 0, 16);
  const format = signatures.find(([, matches]) => matches(head))?.[0];
  if (!format) throw unsupportedFormatError(head);
  const { width, height, frames } = await readSize(format, bytes);
  if (!(width > 0 && height > 0 && frames > 0)) throw fileErrors.notImage();
  if (width * height * frames > MAX_PIXELS) throw fileErrors.tooManyPixels();
  return { format, width, height, frames };
}

function unsupportedFormatError(head: string) {
  const format = unsupportedSignatures.find(([, matches]) => matches(head))?.[0];
  return fileErrors.notImage(format && `不支持 ${format} 图片，请转换为 png 后上传`);
}

async function readSize(format: PictureFormat, bytes: Buffer) {
  try {
    const openImage = await loadImageLibrary();
    const metadata = await openImage(bytes, { limitInputPixels: false }).metadata();
    if (metadata.format !== format) throw fileErrors.notImage();
    const { width = 0, height = 0, pages = 1, pageHeight = height } = metadata;
    return { width, height: pageHeight, frames: pages };
  } catch {
    // Users see any decoder error as "not an image".
    throw fileErrors.notImage();
  }
}

import type { FileFormat } from '../conversion.contract.ts';

const signatures: [format: FileFormat, starts: string[]][] = [
  ['png', ['\x89PNG\r\n\x1a\n']],
  ['jpeg', ['\xff\xd8\xff']],
  ['gif', ['GIF87a', 'GIF89a']],
  // Classic and big, in both byte orders.
  ['tiff', ['II*\0', 'MM\0*', 'II+\0', 'MM\0+']],
];
/** Brands of pictures that are encoded with HEVC; the last two stand for any encoding. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];
const BMP_HEADER_BYTES = [12, 40, 52, 56, 64, 108, 124];

/** The format of an image by its first bytes; null for other files. */
export function detectImageFormat(head: Buffer): FileFormat | null {
  const start = head.toString('latin1', 0, 16);
  const bySignature = signatures.find(([, starts]) => starts.some((text) => start.startsWith(text)));
  if (bySignature) return bySignature[0];
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'webp';
  if (start.slice(4, 8) === 'ftyp' && HEIC_BRANDS.includes(start.slice(8, 12))) return 'heic';
  const isBmp = start.startsWith('BM') && head.length >= 18 && BMP_HEADER_BYTES.includes(head.readUInt32LE(14));
  return isBmp ? 'bmp' : null;
}

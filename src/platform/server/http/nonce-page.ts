import { createHash, randomBytes } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

export const newNonce = (): string => randomBytes(16).toString('base64');
/** Drawn in place of the nonce. It never leaves this process, so no text can hold it by design. */
export const PLACEHOLDER = randomBytes(18).toString('base64url');
const LENGTH = PLACEHOLDER.length;
const ZEROS = Buffer.alloc(LENGTH);

/** Bytes with gaps at these places, each as long as a nonce. */
type Template = { bytes: Buffer; gaps: number[] };
/** One gzip stream with gaps, and what its checksum is made of. */
type Packed = Template & { sum: number; share: number };
/** A page that is drawn and packed once and sent often, with another nonce each time. */
export type NoncePage = { plain: Template; tag: string; packed: Packed | null };

export function noncePage(html: string): NoncePage {
  const bytes = Buffer.from(html);
  const gaps: number[] = [];
  for (let at = bytes.indexOf(PLACEHOLDER); at >= 0; at = bytes.indexOf(PLACEHOLDER, at + LENGTH)) gaps.push(at);
  for (const at of gaps) bytes.set(ZEROS, at);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  // Weak: two answers with this tag differ in their nonce.
  return { plain: { bytes, gaps }, tag: `W/"${hash.slice(0, 22)}"`, packed: null };
}

export const sizeOf = ({ plain, packed }: NoncePage): number => plain.bytes.length + (packed?.bytes.length ?? 0);

function filled({ bytes, gaps }: Template, nonce: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (const at of gaps) copy.set(nonce, at);
  return copy;
}

function bytesOf(nonce: string): Buffer {
  const bytes = Buffer.from(nonce);
  if (bytes.length !== LENGTH) throw new Error('a nonce of another length fits no gap');
  return bytes;
}

export const plainBytes = ({ plain }: NoncePage, nonce: string): Buffer => filled(plain, bytesOf(nonce));

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A block of DEFLATE that holds the text as it is: its head, and room for a nonce. */
const STORED = Buffer.alloc(5 + LENGTH);
STORED.writeUInt16LE(LENGTH, 1);
STORED.writeUInt16LE(~LENGTH & 0xffff, 3);
const LAST_BLOCK = Buffer.from([3, 0]);
const TAIL = 8;
const WINDOW = 32 * 1024;

/**
 * Each piece between the gaps ends at a byte and may refer to those before it. In place of a nonce
 * they see bytes that no UTF-8 text has, so that none of them can refer to a nonce.
 */
function pack({ bytes, gaps }: Template): Packed {
  const seen = filled({ bytes, gaps }, Buffer.alloc(LENGTH, 0xff));
  const parts: Buffer[] = [GZIP_HEAD];
  const places: number[] = [];
  let size = GZIP_HEAD.length;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  let from = 0;
  for (const to of [...gaps, bytes.length]) {
    const before = seen.subarray(Math.max(0, from - WINDOW), from);
    add(
      deflateRawSync(seen.subarray(from, to), {
        finishFlush: constants.Z_SYNC_FLUSH,
        ...(before.length > 0 && { dictionary: before }),
      }),
    );
    if (to === bytes.length) break;
    places.push(size + STORED.length - LENGTH);
    add(STORED);
    from = to + LENGTH;
  }
  const tail = Buffer.alloc(TAIL);
  tail.writeUInt32LE(bytes.length % 2 ** 32, 4);
  const stream = Buffer.concat([...parts, LAST_BLOCK, tail]);
  return { bytes: stream, gaps: places, ...checksum({ bytes, gaps }) };
}

/** One gzip stream. */
export function gzipBytes(page: NoncePage, nonce: string): Buffer {
  page.packed ??= pack(page.plain);
  const { sum, share } = page.packed;
  const bytes = bytesOf(nonce);
  const stream = filled(page.packed, bytes);
  const own = crc32(bytes) ^ crc32(ZEROS);
  stream.writeUInt32LE((sum ^ product(share, own)) >>> 0, stream.length - TAIL);
  return stream;
}

/*
 * CRC-32 is linear: the checksum of a filled page is that of the empty one plus, for each gap, the
 * nonce's own times a power of x for the bytes that follow. So no answer is summed up as a whole.
 * Polynomials are written as CRC-32 does it, with 1 as the highest bit.
 */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const BYTE = 0x00800000;

function product(a: number, b: number): number {
  let sum = 0;
  let power = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= power;
    power = power & 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
  }
  return sum;
}

/** What so many bytes that follow multiply a checksum by. */
function following(bytes: number): number {
  let result = ONE;
  for (let left = bytes, square = BYTE; left > 0; left >>>= 1) {
    if (left & 1) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

function checksum({ bytes, gaps }: Template): { sum: number; share: number } {
  const share = gaps.reduce((all, at) => all ^ following(bytes.length - at - LENGTH), 0);
  return { sum: crc32(bytes), share };
}

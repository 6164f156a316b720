import { createHash, randomBytes } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

export const createNonce = (): string => randomBytes(16).toString('base64');
/** Rendered in place of the nonce. It is random and never leaves this process, so no user text can contain it. */
export const NONCE_PLACEHOLDER = randomBytes(18).toString('base64url');
const NONCE_BYTES = NONCE_PLACEHOLDER.length;
const ZERO_NONCE = Buffer.alloc(NONCE_BYTES);

/** Bytes with room for a nonce at each offset. */
type Template = { bytes: Buffer; nonceOffsets: number[] };
/** A gzip stream with room for nonces, and the parts of its checksum; see `checksum`. */
type GzipTemplate = Template & { baseCrc: number; nonceFactor: number };
/** A page that is rendered and compressed once and sent with another nonce each time. */
export type NoncePage = { plain: Template; etag: string; gzip: GzipTemplate | null };

export function createNoncePage(html: string): NoncePage {
  const bytes = Buffer.from(html);
  const nonceOffsets: number[] = [];
  for (
    let offset = bytes.indexOf(NONCE_PLACEHOLDER);
    offset >= 0;
    offset = bytes.indexOf(NONCE_PLACEHOLDER, offset + NONCE_BYTES)
  )
    nonceOffsets.push(offset);
  for (const offset of nonceOffsets) bytes.set(ZERO_NONCE, offset);
  const hash = createHash('sha256').update(bytes).digest('base64url');
  // Weak: two responses with this etag differ in their nonce.
  return { plain: { bytes, nonceOffsets }, etag: `W/"${hash.slice(0, 22)}"`, gzip: null };
}

export const noncePageBytes = ({ plain, gzip }: NoncePage): number => plain.bytes.length + (gzip?.bytes.length ?? 0);

function fillNonces({ bytes, nonceOffsets }: Template, nonce: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (const offset of nonceOffsets) copy.set(nonce, offset);
  return copy;
}

function nonceBytes(nonce: string): Buffer {
  const bytes = Buffer.from(nonce);
  if (bytes.length !== NONCE_BYTES) throw new Error('the nonce has the wrong length');
  return bytes;
}

export const renderPlain = ({ plain }: NoncePage, nonce: string): Buffer => fillNonces(plain, nonceBytes(nonce));

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An uncompressed DEFLATE block: its header, and room for a nonce. */
const STORED_BLOCK = Buffer.alloc(5 + NONCE_BYTES);
STORED_BLOCK.writeUInt16LE(NONCE_BYTES, 1);
STORED_BLOCK.writeUInt16LE(~NONCE_BYTES & 0xffff, 3);
const FINAL_BLOCK = Buffer.from([3, 0]);
const TRAILER_BYTES = 8;
const DEFLATE_WINDOW_BYTES = 32 * 1024;

/**
 * Each part between the nonces is compressed up to a byte boundary, with the bytes before it as dictionary. In the
 * dictionary the nonces are replaced by bytes that no UTF-8 text contains, so that no part can refer to a nonce.
 */
function compressAroundNonces({ bytes, nonceOffsets }: Template): GzipTemplate {
  const dictionarySource = fillNonces({ bytes, nonceOffsets }, Buffer.alloc(NONCE_BYTES, 0xff));
  const parts: Buffer[] = [GZIP_HEADER];
  const gzipNonceOffsets: number[] = [];
  let size = GZIP_HEADER.length;
  const add = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  let from = 0;
  for (const to of [...nonceOffsets, bytes.length]) {
    const before = dictionarySource.subarray(Math.max(0, from - DEFLATE_WINDOW_BYTES), from);
    add(
      deflateRawSync(dictionarySource.subarray(from, to), {
        finishFlush: constants.Z_SYNC_FLUSH,
        ...(before.length > 0 && { dictionary: before }),
      }),
    );
    if (to === bytes.length) break;
    gzipNonceOffsets.push(size + STORED_BLOCK.length - NONCE_BYTES);
    add(STORED_BLOCK);
    from = to + NONCE_BYTES;
  }
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4);
  const stream = Buffer.concat([...parts, FINAL_BLOCK, trailer]);
  return { bytes: stream, nonceOffsets: gzipNonceOffsets, ...computeChecksumParts({ bytes, nonceOffsets }) };
}

export function renderGzip(page: NoncePage, nonce: string): Buffer {
  page.gzip ??= compressAroundNonces(page.plain);
  const { baseCrc, nonceFactor } = page.gzip;
  const bytes = nonceBytes(nonce);
  const stream = fillNonces(page.gzip, bytes);
  const nonceCrc = crc32(bytes) ^ crc32(ZERO_NONCE);
  stream.writeUInt32LE((baseCrc ^ multiplyCrcPolynomials(nonceFactor, nonceCrc)) >>> 0, stream.length - TRAILER_BYTES);
  return stream;
}

/*
 * CRC-32 is linear: the checksum of a filled page is the checksum of the page with zero bytes plus, for each nonce, the
 * checksum of the nonce times a power of x for the bytes that follow. So the checksum of a response needs no pass over
 * the page. Polynomials are written in the bit order of CRC-32, with 1 as the highest bit.
 */
const POLYNOMIAL = 0xedb88320;
const ONE = 0x80000000;
const X_TO_THE_8 = 0x00800000;

function multiplyCrcPolynomials(a: number, b: number): number {
  let sum = 0;
  let power = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= power;
    power = power & 1 ? (power >>> 1) ^ POLYNOMIAL : power >>> 1;
  }
  return sum;
}

/** The factor by which a number of following bytes multiplies a checksum: x to the power of 8 * `bytes`. */
function crcShiftFactor(bytes: number): number {
  let result = ONE;
  for (let remainingBytes = bytes, square = X_TO_THE_8; remainingBytes > 0; remainingBytes >>>= 1) {
    if (remainingBytes & 1) result = multiplyCrcPolynomials(result, square);
    square = multiplyCrcPolynomials(square, square);
  }
  return result;
}

function computeChecksumParts({ bytes, nonceOffsets }: Template): { baseCrc: number; nonceFactor: number } {
  const nonceFactor = nonceOffsets.reduce(
    (factor, offset) => factor ^ crcShiftFactor(bytes.length - offset - NONCE_BYTES),
    0,
  );
  return { baseCrc: crc32(bytes), nonceFactor };
}

import { createHash, randomBytes } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** Drawn in place of the nonce. It never leaves this process, so no text can hold it by design. */
export const PLACEHOLDER = randomBytes(18).toString('base64url');

/**
 * A page that is drawn once and sent often, with another nonce each time: the pieces between the
 * nonces, and the same pieces packed one by one, so that neither drawing nor packing is repeated.
 */
export type NoncePage = { parts: Buffer[]; tag: string; packed: Buffer[] | null };

export function noncePage(html: string): NoncePage {
  const parts = html.split(PLACEHOLDER).map((part) => Buffer.from(part));
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  // Weak: two answers with this tag differ in their nonce.
  return { parts, tag: `W/"${hash.digest('base64url').slice(0, 22)}"`, packed: null };
}

export const sizeOf = ({ parts, packed }: NoncePage): number =>
  [...parts, ...(packed ?? [])].reduce((sum, { length }) => sum + length, 0);

const joined = (parts: Buffer[], between: Buffer): Buffer[] =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));

export const plainBytes = ({ parts }: NoncePage, nonce: string): Buffer =>
  Buffer.concat(joined(parts, Buffer.from(nonce)));

const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const LAST_BLOCK = Buffer.from([3, 0]);
const WINDOW = 32 * 1024;

/**
 * Each piece ends at a byte and may refer to those before it. In place of a nonce they see bytes that
 * no UTF-8 text has, so that none of them can refer to a nonce.
 */
function pack(parts: Buffer[], nonceLength: number): Buffer[] {
  const gap = Buffer.alloc(nonceLength, 0xff);
  let before = Buffer.alloc(0);
  return parts.map((part) => {
    const packed = deflateRawSync(part, {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(before.length > 0 && { dictionary: before }),
    });
    before = Buffer.concat([before, part, gap]).subarray(-WINDOW);
    return packed;
  });
}

/** A block of DEFLATE that holds the text as it is. */
function stored(text: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(text.length, 1);
  head.writeUInt16LE(~text.length & 0xffff, 3);
  return Buffer.concat([head, text]);
}

/** One gzip stream. All nonces are of one length. */
export function gzipBytes(page: NoncePage, nonce: string): Buffer {
  const bytes = Buffer.from(nonce);
  page.packed ??= pack(page.parts, bytes.length);
  let [sum, size] = [0, 0];
  for (const part of joined(page.parts, bytes)) {
    sum = crc32(part, sum);
    size += part.length;
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(sum, 0);
  tail.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([GZIP_HEAD, ...joined(page.packed, stored(bytes)), LAST_BLOCK, tail]);
}

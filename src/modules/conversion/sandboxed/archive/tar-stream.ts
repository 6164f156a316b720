import type { Readable } from 'node:stream';
import { RejectedFileError } from '../rejection-reasons.ts';
import type { ArchiveMember } from './archive-member.ts';
import { decodeUtf8 } from './member-path.ts';

const BLOCK_BYTES = 512;
const MAX_HEADER_BYTES = 1024 * 1024;
const REGULAR_FILE = new Set(['0', '\0']);

/** Regular files of a tar stream in the format pax; links, devices and folders are left out. */
export async function* readTarMembers(stream: Readable): AsyncGenerator<ArchiveMember> {
  const source = createByteReader(stream);
  let extendedHeader = new Map<string, Buffer>();
  for (;;) {
    const header = await source.read(BLOCK_BYTES);
    if (header.length === 0) throw new RejectedFileError('archiveDamaged', 'the stream ends without a mark');
    // Two blocks of zeros end the stream.
    if (header.every((byte) => byte === 0)) return source.discard();
    const type = header.toString('latin1', 156, 157);
    const size = Number(extendedHeader.get('size')?.toString('latin1') ?? readOctal(header, 124, 12));
    if (!Number.isSafeInteger(size) || size < 0) throw new RejectedFileError('archiveDamaged', 'size');
    const padding = (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
    if (type === 'x') {
      if (size > MAX_HEADER_BYTES) throw new RejectedFileError('archiveDamaged', 'header');
      extendedHeader = parseExtendedHeader(await source.read(size));
      await source.skip(padding);
      continue;
    }
    const body = source.limit(size);
    if (REGULAR_FILE.has(type)) {
      const name = extendedHeader.get('path') ?? ustarName(header);
      const path = decodeUtf8(name) ?? new TextDecoder('gb18030').decode(name);
      yield { path, declaredSize: size, isEncrypted: false, read: async () => body };
    }
    for await (const _ of body);
    await source.skip(padding);
    extendedHeader = new Map();
  }
}

const readText = (block: Buffer, at: number, length: number): Buffer => {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return end < 0 ? field : field.subarray(0, end);
};

const readOctal = (block: Buffer, at: number, length: number): number =>
  Number.parseInt(readText(block, at, length).toString('latin1').trim() || '0', 8);

function ustarName(header: Buffer): Buffer {
  const prefix = readText(header, 345, 155);
  const name = readText(header, 0, 100);
  return prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name;
}

/** Records "length key=value" with a line feed at the end. */
function parseExtendedHeader(bytes: Buffer): Map<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.toString('latin1', at, space));
    const equals = bytes.indexOf('=', space);
    if (space < 0 || equals < 0 || !(length > 0)) break;
    values.set(bytes.toString('utf8', space + 1, equals), bytes.subarray(equals + 1, at + length - 1));
    at += length;
  }
  return values;
}

/** Reads a stream in pieces of known size. */
function createByteReader(stream: Readable) {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const take = async (maxBytes: number): Promise<Buffer> => {
    if (rest.length === 0) {
      const { value, done } = await chunks.next();
      if (done) return Buffer.alloc(0);
      rest = value;
    }
    const piece = rest.subarray(0, maxBytes);
    rest = rest.subarray(piece.length);
    return piece;
  };
  /** Throws when the stream ends early. */
  async function* limit(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      const piece = await take(left);
      if (piece.length === 0) throw new RejectedFileError('archiveDamaged', 'the stream ends within a file');
      left -= piece.length;
      yield piece;
    }
  }
  return {
    limit,
    /** Returns fewer bytes only at the end of the stream. */
    async read(size: number): Promise<Buffer> {
      const pieces: Buffer[] = [];
      for (let left = size; left > 0; ) {
        const piece = await take(left);
        if (piece.length === 0) break;
        pieces.push(piece);
        left -= piece.length;
      }
      return Buffer.concat(pieces);
    },
    async skip(size: number): Promise<void> {
      for await (const _ of limit(size));
    },
    async discard(): Promise<void> {
      while ((await take(BLOCK_BYTES * BLOCK_BYTES)).length > 0);
    },
  };
}

/**
 * Encoding of a segment's posting lists. A block holds the words whose keys share a prefix, in key order: the delta to
 * the previous key, the byte length of the lists, the lists. A word with long lists has a separate row, and length 0 in
 * its block.
 *
 * There is one list per field (anywhere, frequent, keyword, title) of the slots that have the word there: as deltas, or
 * as a bitmap if that is shorter.
 */
export const FIELD_COUNT = 4;
/** Slots in ascending order, per field. */
export type PostingLists = number[][];
export const emptyPostingLists = (): PostingLists => [[], [], [], []];
export type PostingPart = { part: number; data: Buffer };

/** A block of this size fits into one database row without compression. */
const BLOCK_BYTES = 1_500;
/** Longer lists get a separate row. */
const LONG_LIST_BYTES = 600;
export const LONG_LIST_ROW = 2 ** 32;

class ByteWriter {
  bytes = Buffer.allocUnsafe(4_096);
  length = 0;
  #reserve(byteCount: number) {
    if (this.length + byteCount <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + byteCount));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
  varint(value: number) {
    this.#reserve(6);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }
  append(bytes: Uint8Array) {
    this.#reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }
  take(): Buffer {
    const bytes = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return bytes;
  }
}

class ByteReader {
  at: number;
  readonly data: Buffer;
  constructor(data: Buffer, at = 0) {
    this.data = data;
    this.at = at;
  }
  varint(): number {
    let byte = this.data[this.at++] ?? 0;
    if (byte < 0x80) return byte;
    let [value, scale] = [byte & 0x7f, 0x80];
    do {
      byte = this.data[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  }
}

function encodeSlotList(writer: ByteWriter, list: readonly number[], slots: number): void {
  const bitmapBytes = Math.ceil(slots / 8);
  if (list.length > bitmapBytes) {
    writer.varint(list.length * 2 + 1);
    const bits = new Uint8Array(bitmapBytes);
    for (const slot of list) bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7));
    writer.append(bits);
    return;
  }
  writer.varint(list.length * 2);
  let before = -1;
  for (const slot of list) {
    writer.varint(slot - before - 1);
    before = slot;
  }
}

function encodeFieldLists(writer: ByteWriter, lists: PostingLists, slots: number): void {
  let fieldBits = 0;
  for (const [field, list] of lists.entries()) if (list.length > 0) fieldBits |= 1 << field;
  writer.varint(fieldBits);
  for (const list of lists) if (list.length > 0) encodeSlotList(writer, list, slots);
}

function forEachSlotInList(
  reader: ByteReader,
  { slots, field }: { slots: number; field: number },
  onPosting: (slot: number, field: number) => void,
): void {
  const head = reader.varint();
  const { data } = reader;
  if (head % 2 === 1) {
    const bytes = Math.ceil(slots / 8);
    for (let index = 0; index < bytes; index += 1) {
      const bits = data[reader.at + index] ?? 0;
      if (bits === 0) continue;
      for (let bit = 0; bit < 8; bit += 1) if (bits & (1 << bit)) onPosting(index * 8 + bit, field);
    }
    reader.at += bytes;
    return;
  }
  let before = -1;
  for (let remainingCount = head / 2; remainingCount > 0; remainingCount -= 1) {
    before += reader.varint() + 1;
    onPosting(before, field);
  }
}

/** Calls `onPosting` field by field, with the slots of each field in order. */
export function forEachPosting(
  data: Buffer,
  { slots, at }: { slots: number; at: number },
  onPosting: (slot: number, field: number) => void,
): void {
  const reader = new ByteReader(data, at);
  const fieldBits = reader.varint();
  for (let field = 0; field < FIELD_COUNT; field += 1)
    if (fieldBits & (1 << field)) forEachSlotInList(reader, { slots, field }, onPosting);
}

/** The block of a word is given by the leading bits of its key. */
export const blockNumberOfKey = (key: number, blocks: number): number => Math.floor(key / (2 ** 32 / blocks));

/** Offset of a word's lists in its block; null if absent, -1 if they are in a separate row. */
export function findKeyInBlock(data: Buffer, first: number, key: number): number | null {
  const reader = new ByteReader(data);
  for (let current = first; reader.at < data.length; ) {
    current += reader.varint();
    const bytes = reader.varint();
    if (current === key) return bytes === 0 ? -1 : reader.at;
    if (current > key) return null;
    reader.at += bytes;
  }
  return null;
}

/** All words of a block with the offset of their lists; -1 if they are in a separate row. */
export function* iterateBlockKeys(data: Buffer, first: number): Generator<{ key: number; at: number }> {
  const reader = new ByteReader(data);
  for (let key = first; reader.at < data.length; ) {
    key += reader.varint();
    const bytes = reader.varint();
    yield { key, at: bytes === 0 ? -1 : reader.at };
    reader.at += bytes;
  }
}

/** Number of blocks for a segment of about this many bytes; a power of two. */
export const chooseBlockCount = (bytes: number): number =>
  2 ** Math.max(0, Math.min(24, Math.ceil(Math.log2(Math.max(1, bytes) / BLOCK_BYTES))));

/** `words` must be sorted by key. */
export function* encodeBlocks(
  words: Iterable<[key: number, lists: PostingLists]>,
  { slots, blocks }: { slots: number; blocks: number },
): Generator<PostingPart> {
  const block = new ByteWriter();
  const listWriter = new ByteWriter();
  const width = 2 ** 32 / blocks;
  let part = 0;
  let before = 0;
  for (const [key, lists] of words) {
    const nextPart = blockNumberOfKey(key, blocks);
    if (nextPart !== part) {
      if (block.length > 0) yield { part, data: block.take() };
      part = nextPart;
      before = nextPart * width;
    }
    encodeFieldLists(listWriter, lists, slots);
    const data = listWriter.take();
    block.varint(key - before);
    before = key;
    if (data.length > LONG_LIST_BYTES) {
      block.varint(0);
      yield { part: LONG_LIST_ROW + key, data };
    } else {
      block.varint(data.length);
      block.append(data);
    }
  }
  if (block.length > 0) yield { part, data: block.take() };
}

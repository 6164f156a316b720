/**
 * How the words of a segment are written down. A block holds the words whose numbers begin alike,
 * in order: the distance to the word before, the bytes of its lists, the lists. A word with long
 * lists has a row of its own, and no bytes in its block.
 *
 * There is a list for each place (somewhere, often, keyword, title), of the slots that have the word
 * there: distances again, or a bit for each slot where that is shorter.
 */
export const LISTS = 4;
/** Slots in order, of each place. */
export type Lists = number[][];
export const emptyLists = (): Lists => [[], [], [], []];
export type Part = { part: number; data: Buffer };

/** Blocks that fit into a row of the database as it is. */
const BLOCK_BYTES = 1_500;
/** Longer lists get a row of their own. */
const LONG_BYTES = 600;
export const OWN_ROW = 2 ** 32;

/** Bytes that grow as they are written. */
class Writer {
  bytes = Buffer.allocUnsafe(4_096);
  length = 0;
  #room(wanted: number) {
    if (this.length + wanted <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + wanted));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
  number(value: number) {
    this.#room(6);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }
  append(other: Uint8Array) {
    this.#room(other.length);
    this.bytes.set(other, this.length);
    this.length += other.length;
  }
  take(): Buffer {
    const taken = Buffer.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}

class Reader {
  at: number;
  readonly data: Buffer;
  constructor(data: Buffer, at = 0) {
    this.data = data;
    this.at = at;
  }
  number(): number {
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

function writeList(writer: Writer, list: readonly number[], slots: number): void {
  const bitmapBytes = Math.ceil(slots / 8);
  if (list.length > bitmapBytes) {
    writer.number(list.length * 2 + 1);
    const bits = new Uint8Array(bitmapBytes);
    for (const slot of list) bits[slot >> 3] = (bits[slot >> 3] ?? 0) | (1 << (slot & 7));
    writer.append(bits);
    return;
  }
  writer.number(list.length * 2);
  let before = -1;
  for (const slot of list) {
    writer.number(slot - before - 1);
    before = slot;
  }
}

function writeLists(writer: Writer, lists: Lists, slots: number): void {
  let present = 0;
  for (const [place, list] of lists.entries()) if (list.length > 0) present |= 1 << place;
  writer.number(present);
  for (const list of lists) if (list.length > 0) writeList(writer, list, slots);
}

function eachSlot(
  reader: Reader,
  { slots, place }: { slots: number; place: number },
  tell: (slot: number, place: number) => void,
): void {
  const head = reader.number();
  const { data } = reader;
  if (head % 2 === 1) {
    const bytes = Math.ceil(slots / 8);
    for (let index = 0; index < bytes; index += 1) {
      const bits = data[reader.at + index] ?? 0;
      if (bits === 0) continue;
      for (let bit = 0; bit < 8; bit += 1) if (bits & (1 << bit)) tell(index * 8 + bit, place);
    }
    reader.at += bytes;
    return;
  }
  let before = -1;
  for (let left = head / 2; left > 0; left -= 1) {
    before += reader.number() + 1;
    tell(before, place);
  }
}

/** Tells where one word stands: place by place, the slots of each in order. */
export function eachPosting(
  data: Buffer,
  { slots, at }: { slots: number; at: number },
  tell: (slot: number, place: number) => void,
): void {
  const reader = new Reader(data, at);
  const present = reader.number();
  for (let place = 0; place < LISTS; place += 1) if (present & (1 << place)) eachSlot(reader, { slots, place }, tell);
}

/** The block of a word: the first bits of its number. */
export const blockOf = (key: number, blocks: number): number => Math.floor(key / (2 ** 32 / blocks));

/** Where the lists of a word begin in its block; null where it is not, -1 where they have their own row. */
export function findWord(data: Buffer, first: number, key: number): number | null {
  const reader = new Reader(data);
  for (let known = first; reader.at < data.length; ) {
    known += reader.number();
    const bytes = reader.number();
    if (known === key) return bytes === 0 ? -1 : reader.at;
    if (known > key) return null;
    reader.at += bytes;
  }
  return null;
}

/** All words of a block and where the lists of each begin; -1 where they have their own row. */
export function* readBlock(data: Buffer, first: number): Generator<{ key: number; at: number }> {
  const reader = new Reader(data);
  for (let key = first; reader.at < data.length; ) {
    key += reader.number();
    const bytes = reader.number();
    yield { key, at: bytes === 0 ? -1 : reader.at };
    reader.at += bytes;
  }
}

/** How many blocks a segment of about so many bytes needs. */
export const blocksFor = (bytes: number): number =>
  2 ** Math.max(0, Math.min(24, Math.ceil(Math.log2(Math.max(1, bytes) / BLOCK_BYTES))));

/** The rows of words, which must come in order. */
export function* writeParts(
  words: Iterable<[key: number, lists: Lists]>,
  { slots, blocks }: { slots: number; blocks: number },
): Generator<Part> {
  const block = new Writer();
  const own = new Writer();
  const width = 2 ** 32 / blocks;
  let part = 0;
  let before = 0;
  for (const [key, lists] of words) {
    const its = blockOf(key, blocks);
    if (its !== part) {
      if (block.length > 0) yield { part, data: block.take() };
      part = its;
      before = its * width;
    }
    writeLists(own, lists, slots);
    const data = own.take();
    block.number(key - before);
    before = key;
    if (data.length > LONG_BYTES) {
      block.number(0);
      yield { part: OWN_ROW + key, data };
    } else {
      block.number(data.length);
      block.append(data);
    }
  }
  if (block.length > 0) yield { part, data: block.take() };
}

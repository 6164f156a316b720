import { deflateSync } from 'node:zlib';
import type { DemoSection } from '../markup.ts';

const types = { kind: 1, title: 2, author: 3, offsets: 0x83, chapters: 0x84, end: 0x0c } as const;
const PIECE_BYTES = 32 * 1024;
/** Ends a line in this format. */
const LINE_END = '\u2029';

type Book = { title: string; author: string; sections: DemoSection[] };

/** A book for Chinese phones: '#' blocks say what follows, '$' blocks hold it. */
export function writeUmd({ title, author, sections }: Book): Buffer {
  const texts = sections.map(({ blocks }) =>
    wide(blocks.map((block) => (block.kind === 'table' ? '' : `　　${block.text}${LINE_END}`)).join('')),
  );
  let number = 0x3000;
  const starts = Buffer.alloc(texts.length * 4);
  let start = 0;
  for (const [index, text] of texts.entries()) {
    starts.writeUInt32LE(start, index * 4);
    start += text.length;
  }
  const titles = sections.map(({ title }) => {
    const letters = wide(title);
    return Buffer.concat([Buffer.from([letters.length]), letters]);
  });
  const whole = Buffer.concat(texts);
  const pieces: Buffer[] = [];
  for (let at = 0; at < whole.length; at += PIECE_BYTES)
    pieces.push(data(number++, deflateSync(whole.subarray(at, at + PIECE_BYTES))));
  const total = Buffer.alloc(4);
  total.writeUInt32LE(0);
  return Buffer.concat([
    Buffer.from([0x89, 0x9b, 0x9a, 0xde]),
    note(types.kind, Buffer.from([1, 0, 0])),
    note(types.title, wide(title)),
    note(types.author, wide(author)),
    note(types.offsets, Buffer.alloc(4)),
    data(number++, starts),
    note(types.chapters, Buffer.alloc(4)),
    data(number++, Buffer.concat(titles)),
    ...pieces,
    note(types.end, total),
  ]);
}

const wide = (text: string) => Buffer.from(text, 'utf16le');

function note(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 0x23;
  head.writeUInt16LE(type, 1);
  head[4] = 5 + body.length;
  return Buffer.concat([head, body]);
}

function data(number: number, body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 0x24;
  head.writeUInt32LE(number, 1);
  head.writeUInt32LE(9 + body.length, 5);
  return Buffer.concat([head, body]);
}

import { deflateSync } from 'node:zlib';
import type { DemoSection } from './parse-markdown.ts';

const types = { kind: 1, title: 2, author: 3, offsets: 0x83, chapters: 0x84, end: 0x0c } as const;
const BLOCK_BYTES = 32 * 1024;
const LINE_END = '\u2029';

type UmdBook = { title: string; author: string; sections: DemoSection[] };

/** Writes a UMD book, a format of Chinese phones. No library writes it. '#' blocks announce '$' blocks with data. */
export function writeUmd({ title, author, sections }: UmdBook): Buffer {
  const texts = sections.map(({ blocks }) =>
    utf16(blocks.map((block) => (block.kind === 'table' ? '' : `　　${block.text}${LINE_END}`)).join('')),
  );
  let number = 0x3000;
  const starts = Buffer.alloc(texts.length * 4);
  let start = 0;
  for (const [index, chapter] of texts.entries()) {
    starts.writeUInt32LE(start, index * 4);
    start += chapter.length;
  }
  const titles = sections.map(({ title }) => {
    const bytes = utf16(title);
    return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  });
  const text = Buffer.concat(texts);
  const textBlocks: Buffer[] = [];
  for (let at = 0; at < text.length; at += BLOCK_BYTES)
    textBlocks.push(dataBlock(number++, deflateSync(text.subarray(at, at + BLOCK_BYTES))));
  const total = Buffer.alloc(4);
  total.writeUInt32LE(0);
  return Buffer.concat([
    Buffer.from([0x89, 0x9b, 0x9a, 0xde]),
    infoBlock(types.kind, Buffer.from([1, 0, 0])),
    infoBlock(types.title, utf16(title)),
    infoBlock(types.author, utf16(author)),
    infoBlock(types.offsets, Buffer.alloc(4)),
    dataBlock(number++, starts),
    infoBlock(types.chapters, Buffer.alloc(4)),
    dataBlock(number++, Buffer.concat(titles)),
    ...textBlocks,
    infoBlock(types.end, total),
  ]);
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

function infoBlock(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = 0x23;
  head.writeUInt16LE(type, 1);
  head[4] = 5 + body.length;
  return Buffer.concat([head, body]);
}

function dataBlock(number: number, body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head[0] = 0x24;
  head.writeUInt32LE(number, 1);
  head.writeUInt32LE(9 + body.length, 5);
  return Buffer.concat([head, body]);
}

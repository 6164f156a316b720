import { escapeXml } from '#platform/contract/xml.ts';
import type { DemoSection } from './parse-markdown.ts';
import { sectionHtml } from './section-html.ts';

const HEAD_BYTES = 0x60;
const SIZE_BYTES = 0x18;
const CHUNK_BYTES = 4096;
const DIRECTORY_HEAD_BYTES = 0x54;
const CHUNK_HEAD_BYTES = 20;
const NO_CHUNK = 0xffffffff;
const CHINESE = 0x804;
const GUIDS = Buffer.from('10fd017caa7bd0119e0c00a0c922e6ec11fd017caa7bd0119e0c00a0c922e6ec', 'hex');
const DIRECTORY_GUID = Buffer.from('6a92025d2e21d0119df900a0c922e6ec', 'hex');

type Member = { path: string; body: Buffer };

/** Writes an uncompressed CHM help file with pages and a table of contents. No library writes it. */
export function writeChm(title: string, sections: DemoSection[]): Buffer {
  const pages = sections.map((section, index) => ({
    path: `/p${String(index + 1).padStart(2, '0')}.html`,
    body: Buffer.from(
      `<html><head><meta charset="utf-8"><title>${escapeXml(section.title)}</title></head><body>${sectionHtml(section)}</body></html>`,
    ),
  }));
  const entries = sections.map(
    ({ title }, index) =>
      `<li><object type="text/sitemap"><param name="Name" value="${escapeXml(title)}"><param name="Local" value="${pages[index]?.path.slice(1)}"></object></li>`,
  );
  const tableOfContents = `<html><head><meta charset="utf-8"><title>${escapeXml(title)}</title></head><body><ul>\n${entries.join('\n')}\n</ul></body></html>`;
  const members: Member[] = [
    { path: '/contents.hhc', body: Buffer.from(tableOfContents) },
    ...pages,
    { path: '::DataSpace/NameList', body: encodeCompressionNames(['Uncompressed']) },
  ];
  return assembleChm(members.sort((a, b) => (a.path < b.path ? -1 : 1)));
}

function encodeCompressionNames(names: string[]): Buffer {
  const entries = names.map((name) => {
    const head = Buffer.alloc(2);
    head.writeUInt16LE(name.length);
    return Buffer.concat([head, Buffer.from(`${name}\0`, 'utf16le')]);
  });
  const body = Buffer.concat(entries);
  const head = Buffer.alloc(4);
  head.writeUInt16LE((body.length + 4) / 2, 0);
  head.writeUInt16LE(names.length, 2);
  return Buffer.concat([head, body]);
}

function assembleChm(members: Member[]): Buffer {
  const chunk = directoryChunk(members);
  const directory = Buffer.concat([directoryHead(), chunk]);
  const [sizeAt, directoryAt] = [HEAD_BYTES, HEAD_BYTES + SIZE_BYTES];
  const dataAt = directoryAt + directory.length;
  const data = Buffer.concat(members.map(({ body }) => body));
  const head = Buffer.alloc(HEAD_BYTES);
  head.write('ITSF', 0, 'latin1');
  for (const [index, value] of [3, head.length, 1, 0, CHINESE].entries()) head.writeUInt32LE(value, 4 + index * 4);
  GUIDS.copy(head, 24);
  const places = [sizeAt, SIZE_BYTES, directoryAt, directory.length, dataAt];
  for (const [index, value] of places.entries()) head.writeBigUInt64LE(BigInt(value), 56 + index * 8);
  const size = Buffer.alloc(SIZE_BYTES);
  size.writeUInt32LE(0x1fe, 0);
  size.writeBigUInt64LE(BigInt(dataAt + data.length), 8);
  return Buffer.concat([head, size, directory, data]);
}

function directoryHead(): Buffer {
  const head = Buffer.alloc(DIRECTORY_HEAD_BYTES);
  head.write('ITSP', 0, 'latin1');
  // Version, sizes, density, depth; no index; first, last and number of chunks; language.
  const first = [1, DIRECTORY_HEAD_BYTES, 10, CHUNK_BYTES, 2, 1, NO_CHUNK, 0, 0, NO_CHUNK, 1, CHINESE];
  for (const [index, value] of first.entries()) head.writeUInt32LE(value, 4 + index * 4);
  DIRECTORY_GUID.copy(head, 52);
  const last = [DIRECTORY_HEAD_BYTES, NO_CHUNK, NO_CHUNK, NO_CHUNK];
  for (const [index, value] of last.entries()) head.writeUInt32LE(value, 68 + index * 4);
  return head;
}

/** Directory chunk that lists all files. Small books fit into one chunk. */
function directoryChunk(members: Member[]): Buffer {
  let offset = 0;
  const entries = members.map(({ path, body }) => {
    const name = Buffer.from(path);
    const entry = Buffer.concat([
      encodedInteger(name.length),
      name,
      encodedInteger(0),
      encodedInteger(offset),
      encodedInteger(body.length),
    ]);
    offset += body.length;
    return entry;
  });
  const usedBytes = CHUNK_HEAD_BYTES + entries.reduce((sum, entry) => sum + entry.length, 0);
  const freeBytes = CHUNK_BYTES - usedBytes;
  if (freeBytes < 2) throw new Error('the file names do not fit into one directory chunk');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  chunk.write('PMGL', 0, 'latin1');
  chunk.writeUInt32LE(freeBytes, 4);
  chunk.writeUInt32LE(NO_CHUNK, 12);
  chunk.writeUInt32LE(NO_CHUNK, 16);
  Buffer.concat(entries).copy(chunk, CHUNK_HEAD_BYTES);
  chunk.writeUInt16LE(entries.length, CHUNK_BYTES - 2);
  return chunk;
}

/** Variable-length integer: seven bits per byte, most significant first; the top bit marks continuation. */
function encodedInteger(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

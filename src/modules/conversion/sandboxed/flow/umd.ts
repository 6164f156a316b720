import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { RejectedFileError } from '../rejection-reasons.ts';
import { escapeHtml, type FlowWriter } from './flow-writer.ts';
import { addLine } from './plain-text.ts';

const MAX_FILE_BYTES = 128 * 1024 * 1024;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const types = { kind: 1, title: 2, author: 3, offsets: 0x83, chapters: 0x84 } as const;

type UmdBook = {
  title: string;
  author: string;
  chapters: { title: string; text: string }[];
};

/**
 * UMD, a format of Chinese phones: '#' blocks say what follows (type, flag, length), '$' blocks hold
 * the data (number, length); texts are UTF-16LE, the content in deflated pieces.
 */
function parseUmd(file: Buffer): UmdBook {
  if (file.length < 9 || file.readUInt32LE(0) !== 0xde9a9b89) throw new RejectedFileError('damaged', 'no UMD');
  const book = { title: '', author: '', offsets: [] as number[], titles: [] as string[] };
  const pieces: Buffer[] = [];
  let length = 0;
  let type = 0;
  let hasTitles = false;
  for (let at = 4; at < file.length; ) {
    const sign = file[at];
    if (sign === 0x23) {
      need(file, at, 5);
      type = file.readUInt16LE(at + 1);
      const size = file[at + 4] ?? 0;
      if (size < 5) throw new RejectedFileError('damaged', 'block too short');
      const data = need(file, at, size).subarray(5);
      if (type === types.kind && data[0] !== 1) throw new RejectedFileError('damaged', 'not a text book');
      if (type === types.title) book.title = wide(data);
      if (type === types.author) book.author = wide(data);
      at += size;
    } else if (sign === 0x24) {
      need(file, at, 9);
      const size = file.readUInt32LE(at + 5);
      if (size < 9) throw new RejectedFileError('damaged', 'block too short');
      const data = need(file, at, size).subarray(9);
      if (type === types.offsets) book.offsets = offsetsOf(data);
      else if (type === types.chapters && !hasTitles) {
        book.titles = titlesOf(data);
        hasTitles = true;
      } else if (type === types.chapters) {
        const piece = inflate(data, MAX_TEXT_BYTES - length);
        length += piece.length;
        pieces.push(piece);
      }
      at += size;
    } else throw new RejectedFileError('damaged', `unknown block at ${at}`);
  }
  const text = Buffer.concat(pieces);
  const chapters = book.offsets.map((start, index) => ({
    title: book.titles[index] ?? `第 ${index + 1} 节`,
    text: wide(text.subarray(start, book.offsets[index + 1] ?? text.length)),
  }));
  return {
    title: book.title,
    author: book.author,
    chapters: chapters.length ? chapters : [{ title: '', text: wide(text) }],
  };
}

function need(file: Buffer, at: number, length: number): Buffer {
  if (at + length > file.length) throw new RejectedFileError('damaged', 'the file ends too early');
  return file.subarray(at, at + length);
}

const wide = (bytes: Buffer) => new TextDecoder('utf-16le').decode(bytes).replaceAll('\u2029', '\n');

const offsetsOf = (data: Buffer) =>
  Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));

function titlesOf(data: Buffer): string[] {
  const titles: string[] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    titles.push(wide(data.subarray(at + 1, at + 1 + (data[at] ?? 0))).trim());
  return titles;
}

function inflate(data: Buffer, maxOutputLength: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: Math.max(1, maxOutputLength) });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new RejectedFileError(isTooLong ? 'bomb' : 'damaged', String(error));
  }
}

export function readUmd(file: string, writer: FlowWriter): { title: string; author: string } {
  const bytes = readFileSync(file);
  if (bytes.length > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge');
  const { title, author, chapters } = parseUmd(bytes);
  if (chapters.every(({ text }) => text.trim() === '')) throw new RejectedFileError('empty');
  for (const chapter of chapters) {
    const lines = chapter.text.split(/\r\n|[\n\r]/);
    if (chapter.title) addHeading(writer, chapter.title, lines);
    for (const line of lines) addPlain(writer, line);
  }
  return { title, author };
}

/** The text of a chapter begins with its title in some books and not in others: it is shown once. */
function addHeading(writer: FlowWriter, title: string, lines: string[]) {
  writer.beginChapter(title);
  writer.add({ html: `<h2>${escapeHtml(title)}</h2>`, text: title });
  const first = lines.findIndex((line) => line.trim() !== '');
  if (lines[first]?.trim() === title) lines.splice(0, first + 1);
}

/**
 * Chapters are known here: a line that looks like a heading does not begin another. Books are prose,
 * whose paragraphs the reader indents.
 */
function addPlain(writer: FlowWriter, line: string) {
  addLine({ ...writer, beginChapter: () => {} }, line.trimStart());
}

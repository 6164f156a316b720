import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { RejectedFileError } from '../rejection-reasons.ts';
import { escapeHtml, type FlowWriter } from './flow-writer.ts';
import { addLine } from './plain-text.ts';

const MAX_FILE_BYTES = 128 * 1024 * 1024;
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const blockTypes = { kind: 1, title: 2, author: 3, offsets: 0x83, chapters: 0x84 } as const;

type UmdBook = {
  title: string;
  author: string;
  chapters: { title: string; text: string }[];
};

/**
 * UMD, a format of Chinese phones: '#' blocks declare the next data (type, flag, length), '$' blocks contain it
 * (number, length). Texts are UTF-16LE, the book text is in deflated chunks.
 */
function parseUmd(file: Buffer): UmdBook {
  if (file.length < 9 || file.readUInt32LE(0) !== 0xde9a9b89) throw new RejectedFileError('damaged', 'not a UMD file');
  const book = { title: '', author: '', offsets: [] as number[], titles: [] as string[] };
  const textChunks: Buffer[] = [];
  let length = 0;
  let type = 0;
  let hasTitles = false;
  for (let at = 4; at < file.length; ) {
    const marker = file[at];
    if (marker === 0x23) {
      readBytes(file, at, 5);
      type = file.readUInt16LE(at + 1);
      const size = file[at + 4] ?? 0;
      if (size < 5) throw new RejectedFileError('damaged', 'block too short');
      const data = readBytes(file, at, size).subarray(5);
      if (type === blockTypes.kind && data[0] !== 1) throw new RejectedFileError('damaged', 'not a text book');
      if (type === blockTypes.title) book.title = decodeUtf16(data);
      if (type === blockTypes.author) book.author = decodeUtf16(data);
      at += size;
    } else if (marker === 0x24) {
      readBytes(file, at, 9);
      const size = file.readUInt32LE(at + 5);
      if (size < 9) throw new RejectedFileError('damaged', 'block too short');
      const data = readBytes(file, at, size).subarray(9);
      if (type === blockTypes.offsets) book.offsets = parseOffsets(data);
      else if (type === blockTypes.chapters && !hasTitles) {
        book.titles = parseTitles(data);
        hasTitles = true;
      } else if (type === blockTypes.chapters) {
        const chunk = inflate(data, MAX_TEXT_BYTES - length);
        length += chunk.length;
        textChunks.push(chunk);
      }
      at += size;
    } else throw new RejectedFileError('damaged', `unknown block at ${at}`);
  }
  const text = Buffer.concat(textChunks);
  const chapters = book.offsets.map((start, index) => ({
    title: book.titles[index] ?? `第 ${index + 1} 节`,
    text: decodeUtf16(text.subarray(start, book.offsets[index + 1] ?? text.length)),
  }));
  return {
    title: book.title,
    author: book.author,
    chapters: chapters.length ? chapters : [{ title: '', text: decodeUtf16(text) }],
  };
}

function readBytes(file: Buffer, at: number, length: number): Buffer {
  if (at + length > file.length) throw new RejectedFileError('damaged', 'the file ends too early');
  return file.subarray(at, at + length);
}

const decodeUtf16 = (bytes: Buffer) => new TextDecoder('utf-16le').decode(bytes).replaceAll('\u2029', '\n');

const parseOffsets = (data: Buffer) =>
  Array.from({ length: Math.floor(data.length / 4) }, (_, index) => data.readUInt32LE(index * 4));

function parseTitles(data: Buffer): string[] {
  const titles: string[] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0))
    titles.push(decodeUtf16(data.subarray(at + 1, at + 1 + (data[at] ?? 0))).trim());
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
    for (const line of lines) addProseLine(writer, line);
  }
  return { title, author };
}

/** Some books repeat the chapter title as the first line of its text; the title is shown once. */
function addHeading(writer: FlowWriter, title: string, lines: string[]) {
  writer.beginChapter(title);
  writer.add({ html: `<h2>${escapeHtml(title)}</h2>`, text: title });
  const first = lines.findIndex((line) => line.trim() !== '');
  if (lines[first]?.trim() === title) lines.splice(0, first + 1);
}

/**
 * Chapters come from the file, so lines that look like headings begin no chapter. The reader indents paragraphs of
 * prose.
 */
function addProseLine(writer: FlowWriter, line: string) {
  addLine({ ...writer, beginChapter: () => {} }, line.trimStart());
}

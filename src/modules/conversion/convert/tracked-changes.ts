import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { fromFdPromise, type ZipFile } from 'yauzl';
import type { FileFormat } from '../conversion.contract.ts';
import { readCompoundEntries, readStreamStart } from '../detect/cfb.ts';
import { fileSource } from '../file-source.ts';
import { startsAsXml } from '../sandboxed/starts-as-xml.ts';

/** Marks of inserted, deleted or moved text; the longest is shorter than the overlap of two chunks. */
const marks: Partial<Record<FileFormat, RegExp>> = {
  // The prefix is a name that the file chooses, and may be missing.
  docx: /[<:](?:ins|del|moveFrom|moveTo|cellIns|cellDel|rPrChange|pPrChange)[\s>/]/,
  odt: /tracked-changes/,
  rtf: /\\(?:revised|deleted)(?!0)/,
  wordml: /Word\.(?:Insertion|Deletion|Formatting)/,
  fodt: /tracked-changes/,
};
/** Formats that are one stream of text instead of parts of an archive. */
const singleStream: readonly FileFormat[] = ['rtf', 'wordml', 'fodt'];
const OVERLAP = 32;

/**
 * Whether a text document may hold tracked changes. The scan is cheap and errs on the safe side: a
 * document without changes is only converted more slowly.
 */
export async function hasTrackedChanges(file: string, format: FileFormat): Promise<boolean> {
  if (format === 'doc') return hasRevisionAuthors(file);
  const mark = marks[format];
  if (!mark) return false;
  if (singleStream.includes(format)) return contains(textOf(createReadStream(file)), mark);
  return isInParts(file, mark);
}

/** Without zero bytes the markup of UTF-16 is that of ASCII. */
async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield chunk.toString('latin1').replaceAll('\0', '');
}

async function* xmlChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isXml: boolean | null = null;
  for await (const chunk of chunks) {
    isXml ??= startsAsXml(chunk);
    if (isXml === false) return;
    if (isXml) yield chunk;
  }
}

async function contains(texts: AsyncIterable<string>, mark: RegExp): Promise<boolean> {
  let tail = '';
  for await (const chunk of texts) {
    const text = tail + chunk;
    if (mark.test(text)) return true;
    tail = text.slice(-OVERLAP);
  }
  return false;
}

async function isInParts(file: string, mark: RegExp): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const zip = await fromFdPromise(handle.fd, {
      lazyEntries: true,
      autoClose: false,
      strictFileNames: false,
    });
    return await anyPart(zip, mark);
  } finally {
    await handle.close();
  }
}

/** Entries come one at a time; `checkContainer` has counted and measured them before. */
async function anyPart(zip: ZipFile, mark: RegExp): Promise<boolean> {
  for await (const entry of zip.eachEntry()) {
    if (await contains(textOf(xmlChunks(await zip.openReadStreamPromise(entry))), mark)) return true;
  }
  return false;
}

/** Where the header of a Word 97 file says how long its list of authors of revisions is. */
const AUTHORS_LENGTH_AT = 0x236;
/** The list that holds no more than "Unknown". */
const NO_AUTHORS_BYTES = 22;

async function hasRevisionAuthors(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const source = fileSource(handle, (await handle.stat()).size);
    const entries = await readCompoundEntries(source);
    const word = entries.find(({ name, isStream }) => isStream && name === 'WordDocument');
    if (!word) return false;
    const header = await readStreamStart(source, entries, word, AUTHORS_LENGTH_AT + 4);
    return header.length >= AUTHORS_LENGTH_AT + 4 && header.readUInt32LE(AUTHORS_LENGTH_AT) > NO_AUTHORS_BYTES;
  } finally {
    await handle.close();
  }
}

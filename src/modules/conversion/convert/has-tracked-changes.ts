import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileFormat } from '../conversion.contract.ts';
import { readCompoundEntries, readStreamStart } from '../detect/compound-file.ts';
import { fileByteSource } from '../file-byte-source.ts';
import { startsAsXml } from '../sandboxed/starts-as-xml.ts';
import { chunksContain, withZip } from './scan-file.ts';

/** Marks of inserted, deleted or moved text. */
const changeMarks: Partial<Record<FileFormat, RegExp>> = {
  // The file chooses the namespace prefix, which may be missing.
  docx: /[<:](?:ins|del|moveFrom|moveTo|cellIns|cellDel|rPrChange|pPrChange)[\s>/]/,
  odt: /tracked-changes/,
  rtf: /\\(?:revised|deleted)(?!0)/,
  fodt: /tracked-changes/,
};
/** Formats that are one text stream instead of an archive. */
const singleStreamFormats: readonly FileFormat[] = ['rtf', 'fodt'];

/** Whether a text document may contain tracked changes. A false positive only makes the conversion slower. */
export async function hasTrackedChanges(file: string, format: FileFormat): Promise<boolean> {
  if (format === 'doc') return hasRevisionAuthors(file);
  const mark = changeMarks[format];
  if (!mark) return false;
  if (singleStreamFormats.includes(format)) return chunksContain(decodeChunks(createReadStream(file)), mark);
  return archiveContains(file, mark);
}

/** UTF-16 markup without its zero bytes is ASCII. */
async function* decodeChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
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

const archiveContains = (file: string, mark: RegExp): Promise<boolean> =>
  withZip(file, async (zip) => {
    for await (const entry of zip.eachEntry()) {
      if (await chunksContain(decodeChunks(xmlChunks(await zip.openReadStreamPromise(entry))), mark)) return true;
    }
    return false;
  });

/** Offset in the header of a Word 97 file: length of its list of revision authors. */
const AUTHORS_LENGTH_OFFSET = 0x236;
/** Length of a list that contains only "Unknown". */
const NO_AUTHORS_BYTES = 22;

async function hasRevisionAuthors(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const source = fileByteSource(handle, (await handle.stat()).size);
    const entries = await readCompoundEntries(source);
    const word = entries.find(({ name, isStream }) => isStream && name === 'WordDocument');
    if (!word) return false;
    const header = await readStreamStart(source, entries, word, AUTHORS_LENGTH_OFFSET + 4);
    return header.length >= AUTHORS_LENGTH_OFFSET + 4 && header.readUInt32LE(AUTHORS_LENGTH_OFFSET) > NO_AUTHORS_BYTES;
  } finally {
    await handle.close();
  }
}

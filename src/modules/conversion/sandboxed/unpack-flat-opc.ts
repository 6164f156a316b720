import { Buffer, isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import type { ZipMember } from '#platform/server/storage/zip-writer.ts';
import { decodeMarkup } from '../detect/markup-encoding.ts';
import { nestingCounter } from './nesting-limit.ts';
import { RejectedFileError } from './rejection-reasons.ts';
import { writeZipFile } from './write-zip-file.ts';
import { findAttributeValue, localName } from './xml-elements.ts';

/** The file, its text and one part are in memory together. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Limit of the ZIP format. */
const MAX_NAME_BYTES = 65_535;
const CONTENT_TYPES_PART = '[Content_Types].xml';
const WORD_MAIN_PART = /wordprocessingml\.(?:document|template)\.main\+xml$|ms-word\.\w+\.macroEnabledMain\+xml$/;

type Attributes = Record<string, string>;
/** Byte offsets in the file; `rootNameEnd`: the end of the name of the first element, 0 if there is none. */
type Part = {
  name: string;
  type: string;
  isBinary: boolean;
  start: number;
  end: number;
  rootNameEnd: number;
  namespaces: Attributes;
};

/**
 * Writes `unpacked.docx` from a flat OPC file: one XML file with the parts of a Word document, which LibreOffice cannot
 * read.
 */
export async function unpackFlatOpc({ file, folder }: { file: string; folder: string }): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length > MAX_FILE_BYTES) throw new RejectedFileError('tooLarge');
  await writeZipFile(`${folder}/unpacked.docx`, flatOpcZipMembers(bytes));
}

/** Byte offsets in UTF-8 are found by ASCII tags, without decoding the text. */
const toUtf8 = (bytes: Buffer): Buffer => (isUtf8(bytes) ? bytes : Buffer.from(decodeMarkup(bytes)));

export async function* flatOpcZipMembers(file: Buffer): AsyncGenerator<ZipMember> {
  const bytes = toUtf8(file);
  const parts = findParts(bytes.toString('latin1'));
  if (!parts.some(({ type }) => WORD_MAIN_PART.test(type))) throw new RejectedFileError('mismatch');
  yield { name: CONTENT_TYPES_PART, body: contentTypes(parts) };
  for (const part of parts) {
    yield {
      name: part.name,
      // Pictures are compressed already.
      isStored: part.isBinary,
      body: part.isBinary
        ? Buffer.from(bytes.toString('latin1', part.start, part.end), 'base64')
        : withNamespaces(bytes, part),
    };
  }
}

/** Attribute values are not decoded by the parser, so that only quotes and brackets need escaping. */
const escapeAttribute = (value: string) => value.replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const contentTypes = (parts: Part[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(({ name, type }) => `<Override PartName="/${escapeAttribute(name)}" ContentType="${escapeAttribute(type)}"/>`)
    .join('')}</Types>`;

/** Declares the namespaces that the first element of a part inherits from the package. */
function withNamespaces(bytes: Buffer, { start, end, rootNameEnd, namespaces }: Part): Buffer {
  const declarations = Object.entries(namespaces).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  if (rootNameEnd === 0 || declarations.length === 0) return bytes.subarray(start, end);
  return Buffer.concat([
    bytes.subarray(start, rootNameEnd),
    Buffer.from(declarations.join(''), 'latin1'),
    bytes.subarray(rootNameEnd, end),
  ]);
}

const namespaceDeclarations = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:')));

const PART_DEPTH = 2;
const DATA_DEPTH = 3;

/** `text` has one character for each byte of the file. */
function findParts(text: string): Part[] {
  const parts = new Map<string, Part>();
  /** Namespaces of the package, its current part and the data of the part. */
  const scopes: Attributes[] = [];
  let depth = 0;
  let part: Part | null = null;
  const nesting = nestingCounter();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open();
        depth++;
        if (depth <= DATA_DEPTH) scopes[depth - 1] = namespaceDeclarations(attributes);
        if (depth === PART_DEPTH) part = newPart(attributes);
        else if (depth === DATA_DEPTH && part) {
          part.isBinary = localName(name) === 'binaryData';
          part.start = parser.endIndex + 1;
          part.rootNameEnd = 0;
        } else if (depth === DATA_DEPTH + 1 && part && !part.isBinary && part.rootNameEnd === 0) {
          part.rootNameEnd = parser.startIndex + 1 + name.length;
          const attributeNames = Object.keys(attributes);
          const inheritedNamespaces = Object.entries(Object.assign({}, ...scopes.slice(0, DATA_DEPTH)) as Attributes);
          part.namespaces = Object.fromEntries(inheritedNamespaces.filter(([key]) => !attributeNames.includes(key)));
        }
      },
      onclosetag() {
        nesting.close();
        if (depth === DATA_DEPTH && part) part.end = parser.startIndex;
        else if (depth === PART_DEPTH && part) {
          if (Buffer.byteLength(part.name) > MAX_NAME_BYTES)
            throw new RejectedFileError('damaged', 'part name too long');
          if (isPartName(part.name) && !parts.has(part.name)) parts.set(part.name, part);
          part = null;
          if (parts.size > MAX_PARTS) throw new RejectedFileError('bomb', 'too many parts');
        }
        depth--;
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.end(text);
  return [...parts.values()];
}

const newPart = (attributes: Attributes): Part => ({
  name: Buffer.from(findAttributeValue(attributes, 'name'), 'latin1').toString('utf8').replace(/^\//, ''),
  type: findAttributeValue(attributes, 'contentType'),
  isBinary: false,
  start: 0,
  end: 0,
  rootNameEnd: 0,
  namespaces: {},
});

const isPartName = (name: string) =>
  name !== '' && name !== CONTENT_TYPES_PART && !/[\\\0]|^\/|(?:^|\/)\.\.?(?:\/|$)/.test(name);

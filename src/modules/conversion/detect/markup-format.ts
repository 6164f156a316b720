import type { FileFormat } from '../conversion.contract.ts';
import { detectEncoding } from './text-encoding.ts';

const MIME_HEAD_CHARACTERS = 8 * 1024;
const HTML_START =
  /^<(?:!doctype html|html|head|body|script|style|title|table|div|meta|link|img|center|font|form|p|h[1-6])\b/i;
const WORD_2003 = 'http://schemas.microsoft.com/office/word/2003/wordml';
const FLAT_OPC = 'http://schemas.microsoft.com/office/2006/xmlPackage';
const EXCEL_2003 = 'urn:schemas-microsoft-com:office:spreadsheet';
const FICTION_BOOK = 'http://www.gribuser.ru/xml/fictionbook/';
const OPEN_DOCUMENT = 'urn:oasis:names:tc:opendocument:xmlns:office:1.0';
const flatOpenDocumentFormats = new Map<string, FileFormat>([
  ['text', 'fodt'],
  ['spreadsheet', 'fods'],
  ['presentation', 'fodp'],
]);

/** The format of a web page, a web archive or an office document in XML; null for everything else. */
export function detectMarkupFormat(head: Buffer, isSheet: boolean): FileFormat | null {
  const text = decodeMarkupHead(head);
  const start = withoutProlog(text);
  if (HTML_START.test(start) || isWebArchiveText(text)) return isSheet ? 'htmltable' : 'html';
  return start.startsWith('<') ? xmlFormat(start) : null;
}

/** Whether a text with the extension of a web page contains any element. */
export const isHtmlFragment = (head: Buffer): boolean =>
  detectEncoding(head) !== null && /<[a-z!][^<>]*>/i.test(decodeMarkupHead(head));

/** ASCII is the same in all encodings except UTF-16, which has a byte order mark. */
function decodeMarkupHead(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le', 2);
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be').decode(head);
  return head.toString('latin1', head[0] === 0xef && head[1] === 0xbb ? 3 : 0);
}

/** Skips the XML declaration, processing instructions and comments before the first element. */
function withoutProlog(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : null;
    const at = end ? rest.indexOf(end) : -1;
    if (!end || at < 0) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}

export const isWebArchive = (head: Buffer): boolean =>
  isWebArchiveText(decodeMarkupHead(head.subarray(0, MIME_HEAD_CHARACTERS)));

/** MHTML begins like a multipart e-mail. */
function isWebArchiveText(text: string): boolean {
  const head = text.slice(0, MIME_HEAD_CHARACTERS);
  return (
    /^[\w-]+:/.test(head.trimStart()) &&
    /^MIME-Version:/im.test(head) &&
    /^Content-Type:\s*multipart\/related\b/im.test(head)
  );
}

function xmlFormat(start: string): FileFormat | null {
  const root = /^<(?:[\w-]+:)?([\w-]+)\b[^>]*/.exec(start);
  const [element = '', name] = root ?? [];
  if (name === 'wordDocument' && element.includes(WORD_2003)) return 'wordml';
  if (name === 'package' && element.includes(FLAT_OPC)) return 'flatopc';
  if (name === 'FictionBook' && element.includes(FICTION_BOOK)) return 'fb2';
  if (name === 'Workbook' && element.includes(EXCEL_2003)) return 'spreadsheetml';
  if (name !== 'document' || !element.includes(OPEN_DOCUMENT)) return null;
  const [, kind] = /mimetype="application\/vnd\.oasis\.opendocument\.(\w+)(?:-template)?"/.exec(element) ?? [];
  return (kind && flatOpenDocumentFormats.get(kind)) || null;
}

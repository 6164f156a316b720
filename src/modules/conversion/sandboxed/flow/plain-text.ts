import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { detectEncoding } from '../../detect/text-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { stripControlCharacters } from '../strip-control-characters.ts';
import { escapeHtml, type FlowWriter } from './flow-writer.ts';

const CHUNK_BYTES = 1024 * 1024;
/** More than anybody reads in a browser; what lies beyond stays in the original. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARAGRAPH = 2_000;
const CHAPTER =
  /^\s*(?:第[0-9０-９一二三四五六七八九十百千零〇两]{1,9}[章节回卷部篇集幕折](?:[\s　:：、.．].{0,40}|.{0,30})|(?:Chapter|CHAPTER|Part|PART)\s+[\dIVXLC]{1,6}\b.{0,40}|(?:序言?|前言|楔子|引子|后记|尾声|附录.{0,10}))\s*$/;

/** A plain text: paragraphs by its lines, chapters by their headings. */
export function readPlainText(file: string, writer: FlowWriter): void {
  const descriptor = openSync(file, 'r');
  try {
    const size = Math.min(fstatSync(descriptor).size, MAX_BYTES);
    const head = Buffer.alloc(Math.min(size, CHUNK_BYTES));
    readSync(descriptor, head, 0, head.length, 0);
    const encoding = detectEncoding(head);
    if (!encoding) throw new RejectedFileError('damaged', 'not a text');
    const decoder = new TextDecoder(encoding);
    let rest = '';
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - at));
      readSync(descriptor, chunk, 0, chunk.length, at);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|[\n\r\u2028\u2029]/);
      rest = lines.pop() ?? '';
      for (const line of lines) addLine(writer, line);
    }
    addLine(writer, rest + decoder.decode());
  } finally {
    closeSync(descriptor);
  }
}

/** Spaces that a browser would drop or join: at the beginning, tabs, and several in a row. */
const SIGNIFICANT_SPACES = /^[ \u3000]|\t|[ \u3000]{2}/;

/**
 * One line of text is one paragraph with the spaces that it is set with; a very long one is cut where
 * a sentence ends.
 */
export function addLine(writer: FlowWriter, line: string): void {
  const text = stripControlCharacters(line).trimEnd();
  if (text.trim() === '') return;
  if (CHAPTER.test(text)) {
    writer.beginChapter(text.trim());
    writer.add({ html: `<h2>${escapeHtml(text.trim())}</h2>`, text: text.trim() });
    return;
  }
  for (const part of cut(text)) {
    const spaced = SIGNIFICANT_SPACES.test(part) ? ' class="spaced"' : '';
    writer.add({ html: `<p${spaced}>${escapeHtml(part)}</p>`, text: part });
  }
}

function cut(text: string): string[] {
  if (text.length <= MAX_PARAGRAPH) return [text];
  const parts: string[] = [];
  for (let rest = text; rest; ) {
    const window = rest.slice(0, MAX_PARAGRAPH);
    const end = Math.max(...['。', '！', '？', '. ', '；', '，', ' '].map((sign) => window.lastIndexOf(sign)));
    const length = rest.length <= MAX_PARAGRAPH ? rest.length : end > MAX_PARAGRAPH / 2 ? end + 1 : MAX_PARAGRAPH;
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts.map((part) => part.toWellFormed());
}

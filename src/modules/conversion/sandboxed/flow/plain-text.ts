import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { detectEncoding } from '../../detect/text-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { stripControlCharacters } from '../strip-control-characters.ts';
import { escapeHtml, type FlowWriter } from './flow-writer.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Longer texts are cut; the rest is only in the original. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARAGRAPH_LENGTH = 2_000;
const CHAPTER_HEADING =
  /^\s*(?:第[0-9０-９一二三四五六七八九十百千零〇两]{1,9}[章节回卷部篇集幕折](?:[\s　:：、.．].{0,40}|.{0,30})|(?:Chapter|CHAPTER|Part|PART)\s+[\dIVXLC]{1,6}\b.{0,40}|(?:序言?|前言|楔子|引子|后记|尾声|附录.{0,10}))\s*$/;

/** Reads a plain text: each line is a paragraph, and headings begin chapters. */
export function readPlainTextFile(file: string, writer: FlowWriter): void {
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

/** Spaces that a browser would collapse: at the beginning, tabs, and several in a row. */
const SIGNIFICANT_SPACES = /^[ \u3000]|\t|[ \u3000]{2}/;

/** Adds a line as a paragraph with its spaces; a very long line is split at the end of a sentence. */
export function addLine(writer: FlowWriter, line: string): void {
  const text = stripControlCharacters(line).trimEnd();
  if (text.trim() === '') return;
  if (CHAPTER_HEADING.test(text)) {
    writer.beginChapter(text.trim());
    writer.add({ html: `<h2>${escapeHtml(text.trim())}</h2>`, text: text.trim() });
    return;
  }
  for (const part of splitParagraph(text)) {
    const spacedClass = SIGNIFICANT_SPACES.test(part) ? ' class="spaced"' : '';
    writer.add({ html: `<p${spacedClass}>${escapeHtml(part)}</p>`, text: part });
  }
}

function splitParagraph(text: string): string[] {
  if (text.length <= MAX_PARAGRAPH_LENGTH) return [text];
  const parts: string[] = [];
  for (let rest = text; rest; ) {
    const window = rest.slice(0, MAX_PARAGRAPH_LENGTH);
    const end = Math.max(...['。', '！', '？', '. ', '；', '，', ' '].map((sign) => window.lastIndexOf(sign)));
    const length =
      rest.length <= MAX_PARAGRAPH_LENGTH
        ? rest.length
        : end > MAX_PARAGRAPH_LENGTH / 2
          ? end + 1
          : MAX_PARAGRAPH_LENGTH;
    parts.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return parts.map((part) => part.toWellFormed());
}

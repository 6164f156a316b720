import { closeSync, openSync, readSync } from 'node:fs';
import { detectEncoding } from '../../detect/text-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { cellText, MAX_COLUMNS, MAX_ROWS, trimRows } from './limits.ts';
import type { Sheet } from './sheet.ts';

const CHUNK_BYTES = 1024 * 1024;
const delimiters = ['\t', ',', ';', '|'];

/** A table written as text. Rows past the limit are counted, not kept. */
export function readDelimited(file: string): Sheet {
  const descriptor = openSync(file, 'r');
  const parser = delimitedParser();
  try {
    const head = Buffer.alloc(CHUNK_BYTES);
    const sample = head.subarray(0, readSync(descriptor, head, 0, CHUNK_BYTES, 0));
    const encoding = detectEncoding(sample);
    if (!encoding) throw new RejectedFileError('damaged', 'not a text');
    const decoder = new TextDecoder(encoding);
    for (let at = 0; ; ) {
      const chunk = Buffer.alloc(CHUNK_BYTES);
      const length = readSync(descriptor, chunk, 0, CHUNK_BYTES, at);
      at += length;
      parser.push(decoder.decode(chunk.subarray(0, length), { stream: length > 0 }));
      if (length === 0) break;
    }
  } finally {
    closeSync(descriptor);
  }
  const { rows, total } = parser.finish();
  const kept = trimRows(rows);
  // Blank rows at the end are none; what lies past the limit is not known to be blank.
  return {
    name: '表格',
    rows: kept,
    widths: [],
    total: total > MAX_ROWS ? total : kept.length,
  };
}

/** Whichever sign divides the first lines most evenly. */
function delimiterOf(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/, 20).filter(Boolean);
  const scores = delimiters.map((sign) => {
    const counts = lines.map((line) => line.replace(/"(?:[^"]|"")*"/g, '').split(sign).length - 1);
    const least = Math.min(...counts);
    return least > 0 ? least + 1 : counts.reduce((sum, count) => sum + count, 0) / (lines.length + 1) / 100;
  });
  return delimiters[scores.indexOf(Math.max(...scores))] ?? ',';
}

/** Cells in quotes may hold delimiters, line ends and doubled quotes. */
function delimitedParser() {
  const rows: string[][] = [];
  let [total, row, cell] = [0, [] as string[], ''];
  let [isQuoted, wasQuote, wasReturn] = [false, false, false];
  let delimiter: string | null = null;
  const endCell = () => {
    if (row.length < MAX_COLUMNS) row.push(cellText(cell));
    cell = '';
  };
  const endRow = () => {
    endCell();
    total++;
    if (rows.length < MAX_ROWS) rows.push(row);
    row = [];
  };
  const put = (sign: string) => {
    // A quote left open swallows the rest: bounded, as every cell is.
    if (cell.length < 10_000) cell += sign;
  };
  return {
    push(text: string) {
      delimiter ??= delimiterOf(text);
      for (const sign of text) {
        if (wasReturn) {
          wasReturn = false;
          if (sign === '\n') continue;
        }
        if (isQuoted && wasQuote) {
          wasQuote = false;
          if (sign === '"') {
            put('"');
            continue;
          }
          isQuoted = false;
        } else if (isQuoted) {
          if (sign === '"') wasQuote = true;
          else put(sign);
          continue;
        }
        if (sign === '"' && cell === '') isQuoted = true;
        else if (sign === delimiter) endCell();
        else if (sign === '\n' || sign === '\r') {
          wasReturn = sign === '\r';
          endRow();
        } else put(sign);
      }
    },
    finish() {
      if (cell !== '' || row.length > 0) endRow();
      return { rows, total };
    },
  };
}

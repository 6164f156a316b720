import { closeSync, openSync, readSync } from 'node:fs';
import { detectEncoding } from '../../detect/text-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { cleanCellText, MAX_COLUMNS, trimRows } from './limits.ts';
import { createRowBudget } from './row-budget.ts';
import type { Sheet } from './sheet.ts';
import { createTextCache } from './text-cache.ts';

const CHUNK_BYTES = 1024 * 1024;
const delimiters = ['\t', ',', ';', '|'];

/** Reads a table in text form. Rows beyond the limit are only counted. */
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
  const { rows, total, isCut } = parser.finish();
  const trimmedRows = trimRows(rows);
  // Blank rows at the end are dropped; beyond the limit it is not known which rows are blank.
  return {
    name: '表格',
    rows: trimmedRows,
    widths: [],
    total: isCut ? total : trimmedRows.length,
  };
}

/** Selects the delimiter that divides the first lines most evenly. */
function detectDelimiter(text: string): string {
  const lines = text.split(/\r\n|[\n\r]/, 20).filter(Boolean);
  const scores = delimiters.map((character) => {
    const counts = lines.map((line) => line.replace(/"(?:[^"]|"")*"/g, '').split(character).length - 1);
    const minCount = Math.min(...counts);
    return minCount > 0 ? minCount + 1 : counts.reduce((sum, count) => sum + count, 0) / (lines.length + 1) / 100;
  });
  return delimiters[scores.indexOf(Math.max(...scores))] ?? ',';
}

/** Quoted cells may contain delimiters, line ends and doubled quotes. */
function delimitedParser() {
  const rows: string[][] = [];
  const budget = createRowBudget();
  const intern = createTextCache();
  let isCut = false;
  let [total, row, cell] = [0, [] as string[], ''];
  let [isQuoted, wasQuote, wasReturn] = [false, false, false];
  let delimiter: string | null = null;
  const endCell = () => {
    if (row.length < MAX_COLUMNS) row.push(intern(cleanCellText(cell)));
    cell = '';
  };
  const endRow = () => {
    endCell();
    total++;
    isCut ||= !budget.takeRow(rows.length, row);
    if (!isCut) rows.push(row);
    row = [];
  };
  const appendCharacter = (character: string) => {
    // An unclosed quote would collect the rest of the file.
    if (cell.length < 10_000) cell += character;
  };
  return {
    push(text: string) {
      delimiter ??= detectDelimiter(text);
      for (const character of text) {
        if (wasReturn) {
          wasReturn = false;
          if (character === '\n') continue;
        }
        if (isQuoted && wasQuote) {
          wasQuote = false;
          if (character === '"') {
            appendCharacter('"');
            continue;
          }
          isQuoted = false;
        } else if (isQuoted) {
          if (character === '"') wasQuote = true;
          else appendCharacter(character);
          continue;
        }
        if (character === '"' && cell === '') isQuoted = true;
        else if (character === delimiter) endCell();
        else if (character === '\n' || character === '\r') {
          wasReturn = character === '\r';
          endRow();
        } else appendCharacter(character);
      }
    },
    finish() {
      if (cell !== '' || row.length > 0) endRow();
      return { rows, total, isCut };
    },
  };
}

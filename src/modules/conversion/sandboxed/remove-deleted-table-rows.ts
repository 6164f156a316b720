import { Parser } from 'htmlparser2';
import type { ZipMember } from '#platform/server/storage/zip-writer.ts';
import { decodeMarkup } from '../detect/markup-encoding.ts';
import { openZip, type Zip } from './flow/zip-reader.ts';
import { nestingCounter } from './nesting-limit.ts';
import { startsAsXml } from './starts-as-xml.ts';
import { writeZipFile } from './write-zip-file.ts';
import { localName } from './xml-elements.ts';

const MAX_PART_BYTES = 200 * 1024 * 1024;

/**
 * Writes `rows.docx` without the table rows and cell contents that a tracked change deletes as a whole, because
 * LibreOffice ignores these marks. Writes nothing if there are none.
 */
export async function removeDeletedTableRows({ file, folder }: { file: string; folder: string }) {
  const zip = await openZip(file);
  try {
    const rewrittenParts = await rewriteParts(zip);
    if (rewrittenParts.size === 0) return;
    await writeZipFile(`${folder}/rows.docx`, rewrittenZipMembers(zip, rewrittenParts));
  } finally {
    zip.close();
  }
}

async function* rewrittenZipMembers(zip: Zip, rewrittenParts: Map<string, string>): AsyncGenerator<ZipMember> {
  for (const name of zip.names) {
    const body = rewrittenParts.get(name) ?? (await zip.read(name, MAX_PART_BYTES));
    yield { name, body: body ?? '' };
  }
}

async function rewriteParts(zip: Zip): Promise<Map<string, string>> {
  const rewrittenParts = new Map<string, string>();
  for (const name of zip.names) {
    const bytes = await zip.read(name, MAX_PART_BYTES);
    if (!bytes || !startsAsXml(bytes)) continue;
    const xml = decodeMarkup(bytes);
    const cuts = deletedRanges(xml);
    if (cuts.length > 0) rewrittenParts.set(name, withoutEncoding(applyCuts(xml, cuts)));
  }
  return rewrittenParts;
}

/** Parts are written as UTF-8, which needs no declaration. */
const withoutEncoding = (xml: string) => xml.replace(/^(\s*<\?xml[^>]*?)\s+encoding\s*=\s*(?:"[^"]*"|'[^']*')/, '$1');

type Cut = { start: number; end: number; replacement: string };

function applyCuts(xml: string, cuts: Cut[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, replacement } of cuts.sort((a, b) => a.start - b.start)) {
    // A cell of a deleted row, or a row of a nested table, is part of an earlier cut.
    if (start < position) continue;
    result += xml.slice(position, start) + replacement;
    position = end;
  }
  return result + xml.slice(position);
}

type OpenRowOrCell = { start: number; contentStart: number; isDeleted: boolean };
type OpenTable = { start: number; rows: number; deletedRows: number };

const namespacePrefix = (name: string) => name.slice(0, name.indexOf(':') + 1);

/** The file chooses the namespace prefixes, so only local names are compared. */
function deletedRanges(xml: string): Cut[] {
  const cuts: Cut[] = [];
  const path: string[] = [];
  const tables: OpenTable[] = [];
  const rows: OpenRowOrCell[] = [];
  const cells: OpenRowOrCell[] = [];
  const open = (local: string, start: number) => {
    const rowOrCell = { start, contentStart: start, isDeleted: false };
    const parent = path.at(-1);
    const [row, cell] = [rows.at(-1), cells.at(-1)];
    if (local === 'tbl') tables.push({ start, rows: 0, deletedRows: 0 });
    else if (local === 'tr') rows.push(rowOrCell);
    else if (local === 'tc') cells.push(rowOrCell);
    else if (local === 'del' && parent === 'trPr' && row) row.isDeleted = true;
    else if (local === 'cellDel' && parent === 'tcPr' && cell) cell.isDeleted = true;
    path.push(local);
  };
  const closeRow = (end: number) => {
    const [row, table] = [rows.pop(), tables.at(-1)];
    if (table) table.rows++;
    if (!row?.isDeleted) return;
    if (table) table.deletedRows++;
    cuts.push({ start: row.start, end, replacement: '' });
  };
  const closeTable = (end: number) => {
    const table = tables.pop();
    // A table without rows is invalid.
    if (table && table.rows > 0 && table.rows === table.deletedRows)
      cuts.push({ start: table.start, end, replacement: '' });
  };
  const closeCell = (tagStart: number, prefix: string) => {
    const cell = cells.pop();
    // A cell must contain a paragraph, and all rows must have the same number of columns.
    if (cell?.isDeleted) cuts.push({ start: cell.contentStart, end: tagStart, replacement: `<${prefix}p/>` });
  };
  const nesting = nestingCounter();
  const parser = new Parser(
    {
      onopentag(name) {
        nesting.open();
        open(localName(name), parser.startIndex);
      },
      onclosetag(name) {
        nesting.close();
        path.pop();
        const local = localName(name);
        const end = parser.endIndex + 1;
        const cell = cells.at(-1);
        if (local === 'tr') closeRow(end);
        else if (local === 'tbl') closeTable(end);
        else if (local === 'tcPr' && cell) cell.contentStart = end;
        else if (local === 'tc') closeCell(parser.startIndex, namespacePrefix(name));
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return cuts;
}

import XLSX from '@e965/xlsx';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';

type CellValue = string | { v: number | string; z: string };
type FixtureSheet = {
  name: string;
  rows: CellValue[][];
  /** 1: hidden, 2: very hidden. */
  hidden?: 0 | 1 | 2;
  hiddenRows?: number[];
  hiddenColumns?: number[];
  /** Ranges such as A1:B2. */
  merges?: string[];
  /** Rows of height 0, in xls only. */
  flatRows?: number[];
};

/** Builds a workbook like Excel. */
export function makeWorkbook(bookType: 'xls' | 'xlsx' | 'xlsb', sheets: FixtureSheet[]): Buffer {
  const book = XLSX.utils.book_new();
  for (const { name, rows, hiddenRows = [], hiddenColumns = [], merges = [] } of sheets) {
    const cells = rows.map((row) => row.map((value) => (typeof value === 'string' ? value : formattedCell(value))));
    const sheet = XLSX.utils.aoa_to_sheet(cells);
    sheet['!rows'] = rows.map((_, row) => (hiddenRows.includes(row) ? { hidden: true } : {}));
    sheet['!cols'] = (rows[0] ?? []).map((_, column) =>
      hiddenColumns.includes(column) ? { hidden: true } : { wch: 10 },
    );
    sheet['!merges'] = merges.map((range) => XLSX.utils.decode_range(range));
    XLSX.utils.book_append_sheet(book, sheet, name);
  }
  book.Workbook = { Sheets: sheets.map(({ name, hidden = 0 }) => ({ name, Hidden: hidden })) };
  const bytes: Buffer = XLSX.write(book, { type: 'buffer', bookType });
  if (bookType !== 'xls') return bytes;
  // The library writes no ROW records into xls.
  const { hiddenRows = [], flatRows = [] } = sheets[0] ?? {};
  return withRowRecords(bytes, [
    ...hiddenRows.map((row) => ({ row, height: 255, flags: HIDDEN_ROW })),
    ...flatRows.map((row) => ({ row, height: 0, flags: ROW_OF_CUSTOM_HEIGHT })),
  ]);
}

const formattedCell = (cell: Exclude<CellValue, string>) => ({ ...cell, t: typeof cell.v === 'number' ? 'n' : 's' });

/** Rewrites the first sheet of an xlsx file. */
export function rewriteSheet(bytes: Buffer, rewrite: (xml: string) => string): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const part = XLSX.CFB.find(container, '/xl/worksheets/sheet1.xml');
  part.content = Buffer.from(rewrite(Buffer.from(part.content).toString('utf8')));
  part.size = part.content.length;
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
}

const DIMENSIONS = 0x0200;
const ROW = 0x0208;
const HIDDEN_ROW = 0x0120;
const ROW_OF_CUSTOM_HEIGHT = 0x0140;
type RowRecord = { row: number; height: number; flags: number };

/** Inserts records after the dimensions of the first sheet of an xls file. */
export function insertRecords(bytes: Buffer, records: Buffer[]): Buffer {
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const stream = XLSX.CFB.find(container, '/Workbook');
  const book = Buffer.from(stream.content);
  let at = 0;
  while (book.readUInt16LE(at) !== DIMENSIONS) at += 4 + book.readUInt16LE(at + 2);
  const end = at + 4 + book.readUInt16LE(at + 2);
  stream.content = Buffer.concat([book.subarray(0, end), ...records, book.subarray(end)]);
  stream.size = stream.content.length;
  return XLSX.CFB.write(container, { type: 'buffer' });
}

/** Adds ROW records to the first sheet of an xls file. */
function withRowRecords(bytes: Buffer, rows: RowRecord[]): Buffer {
  if (rows.length === 0) return bytes;
  const records = rows.map(({ row, height, flags }) => {
    const record = Buffer.alloc(20);
    record.writeUInt16LE(ROW, 0);
    record.writeUInt16LE(16, 2);
    record.writeUInt16LE(row, 4);
    record.writeUInt16LE(256, 8);
    record.writeUInt16LE(height, 10);
    record.writeUInt16LE(flags, 16);
    return record;
  });
  return insertRecords(bytes, records);
}

const namespaces = ['office', 'table', 'text', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');
const ODS_MEDIA_TYPE = 'application/vnd.oasis.opendocument.spreadsheet';

/** Builds an OpenDocument workbook like LibreOffice. */
export const makeOds = (styles: string, tables: string, otherMembers: ZipMember[] = []): Buffer =>
  writeZip([...odsParts(styles, tables), ...otherMembers]);

/** The same in one XML file. */
export const makeFods = (tables: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:version="1.2" office:mimetype="${ODS_MEDIA_TYPE}"><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document>`;

/** Some programs write no styles part. */
export const makeOdsWithoutStyles = (tables: string): Buffer =>
  writeZip(odsParts('', tables).filter(({ name }) => name !== 'styles.xml'));

function odsParts(styles: string, tables: string): ZipMember[] {
  return [
    { name: 'mimetype', body: ODS_MEDIA_TYPE, isStored: true },
    {
      name: 'META-INF/manifest.xml',
      body: `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${ODS_MEDIA_TYPE}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
    },
    {
      name: 'styles.xml',
      body: `<office:document-styles ${namespaces} office:version="1.2"/>`,
    },
    {
      name: 'content.xml',
      body: `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces} office:version="1.2"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
    },
  ];
}

export const odsRow = (texts: string[], attributes = ''): string =>
  `<table:table-row ${attributes}>${texts.map((text) => `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`;

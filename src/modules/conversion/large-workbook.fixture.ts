import { writeZip } from '#platform/server/storage/zip-writer.ts';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Builds an xlsx file with one sheet: a number, a shared string, and further numbers with formats in each row. */
export function makeLargeWorkbook({ rows, columns }: { rows: number; columns: number }): Buffer {
  const cell = (row: number, column: number): string => {
    const name = `${String.fromCharCode(65 + column)}${row}`;
    if (column === 1) return `<c r="${name}" t="s"><v>${row - 1}</v></c>`;
    return `<c r="${name}" s="${column % 3}"><v>${column === 0 ? row : (row * 7 + column) % 99_991}</v></c>`;
  };
  const sheetRows = Array.from({ length: rows }, (_, at) => {
    const cells = Array.from({ length: columns }, (_, column) => cell(at + 1, column));
    return `<row r="${at + 1}">${cells.join('')}</row>`;
  });
  const strings = Array.from({ length: rows }, (_, at) => `<si><t>第${at + 1}项</t></si>`);
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${OFFICE}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}.xml"/>`;
  const relations = (...elements: string[]) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${elements.join('')}</Relationships>`;
  return writeZip([
    {
      name: '[Content_Types].xml',
      body: `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${override('sharedStrings', 'sharedStrings')}${override('worksheets/sheet1', 'worksheet')}</Types>`,
    },
    { name: '_rels/.rels', body: relations(relation(1, 'officeDocument', 'xl/workbook')) },
    {
      name: 'xl/workbook.xml',
      body: `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets><sheet name="明细" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: relations(
        relation(1, 'worksheet', 'worksheets/sheet1'),
        relation(2, 'styles', 'styles'),
        relation(3, 'sharedStrings', 'sharedStrings'),
      ),
    },
    {
      name: 'xl/styles.xml',
      body: `<styleSheet xmlns="${SPREADSHEET}"><fonts><font/><font><b/></font></fonts><fills><fill/></fills><borders><border/></borders><cellXfs><xf/><xf fontId="1" numFmtId="4"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', body: `<sst xmlns="${SPREADSHEET}">${strings.join('')}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      body: `<worksheet xmlns="${SPREADSHEET}"><dimension ref="A1:Z${rows}"/><sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
    },
  ]);
}

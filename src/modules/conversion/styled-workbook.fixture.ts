import { writeZip } from '#platform/server/storage/zip-writer.ts';

const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${body}`;
const SPREADSHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const THEME_COLORS = ['dk1', 'lt1', 'dk2', 'lt2', 'accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6'];

const relations = (targets: string[]) =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
      .map((target, at) => {
        const type = target.replace(/.*\/|\d*\.xml$/g, '').replace('sheet', 'worksheet');
        return `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
      })
      .join('')}</Relationships>`,
  );

type StyledWorkbook = {
  /** Content of the elements of these names in `xl/styles.xml`; cells name an `xf` by its position. */
  fonts?: string;
  fills?: string;
  borders?: string;
  xfs: string;
  /** Six hexadecimal digits for each of the first ten colours of the theme. */
  themeColors?: string[];
  /** Content of each `worksheet` element. */
  sheets: string[];
};

/** Builds an xlsx file like Excel from the markup of its cells and formats; sheets are named 表1, 表2, … */
export function makeStyledWorkbook(book: StyledWorkbook): Buffer {
  const {
    fonts = '<font/>',
    fills = '<fill/>',
    borders = '<border/>',
    xfs,
    themeColors = ['000000', 'FFFFFF'],
    sheets,
  } = book;
  const names = sheets.map((_, at) => `sheet${at + 1}.xml`);
  const colors = themeColors.map((color, at) => {
    const name = THEME_COLORS[at];
    return `<a:${name}><a:srgbClr val="${color}"/></a:${name}>`;
  });
  return writeZip([
    {
      name: '[Content_Types].xml',
      body: xml(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>${names
          .map(
            (name) =>
              `<Override PartName="/xl/worksheets/${name}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
          )
          .join('')}</Types>`,
      ),
    },
    {
      name: '_rels/.rels',
      body: relations(['xl/workbook.xml']).replace('/workbook"', '/officeDocument"'),
    },
    {
      name: 'xl/workbook.xml',
      body: xml(
        `<workbook ${SPREADSHEET} xmlns:r="${RELATIONS}"><sheets>${names
          .map((_, at) => `<sheet name="表${at + 1}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
          .join('')}</sheets></workbook>`,
      ),
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: relations([...names.map((name) => `worksheets/${name}`), 'styles.xml', 'theme/theme1.xml']),
    },
    {
      name: 'xl/styles.xml',
      body: xml(
        `<styleSheet ${SPREADSHEET}><fonts>${fonts}</fonts><fills>${fills}</fills><borders>${borders}</borders><cellXfs>${xfs}</cellXfs><dxfs><dxf><font><b/></font></dxf></dxfs></styleSheet>`,
      ),
    },
    {
      name: 'xl/theme/theme1.xml',
      body: xml(
        `<a:theme ${DRAWING}><a:themeElements><a:clrScheme name="Office">${colors.join('')}</a:clrScheme><a:fontScheme name="Office"></a:fontScheme><a:fmtScheme name="Office"></a:fmtScheme></a:themeElements></a:theme>`,
      ),
    },
    ...sheets.map((content, at) => ({
      name: `xl/worksheets/${names[at]}`,
      body: xml(`<worksheet ${SPREADSHEET} xmlns:r="${RELATIONS}">${content}</worksheet>`),
    })),
  ]);
}

/** A cell with an inline text, or with a number. */
export const styledCell = (name: string, style: number, value: string | number = ''): string => {
  if (value === '') return `<c r="${name}" s="${style}"/>`;
  if (typeof value === 'number') return `<c r="${name}" s="${style}"><v>${value}</v></c>`;
  return `<c r="${name}" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`;
};

import XLSX from '@e965/xlsx';
import { numberFormatRecord, readXlsbRecords } from './xlsb-records.ts';

/**
 * Built-in formats of Excel and WPS on a Chinese system; a workbook names them by number only. ECMA-376 Part 1, 18.8.30,
 * column zh-cn; 14 and 22 are the short date of the system. SSF knows the codes of an American system.
 */
const chineseBuiltInFormats: ReadonlyMap<number, string> = new Map([
  [14, 'yyyy/m/d'],
  [22, 'yyyy/m/d h:mm'],
  [27, 'yyyy"年"m"月"'],
  [28, 'm"月"d"日"'],
  [29, 'm"月"d"日"'],
  [30, 'm-d-yy'],
  [31, 'yyyy"年"m"月"d"日"'],
  [32, 'h"时"mm"分"'],
  [33, 'h"时"mm"分"ss"秒"'],
  [34, '上午/下午h"时"mm"分"'],
  [35, '上午/下午h"时"mm"分"ss"秒"'],
  [36, 'yyyy"年"m"月"'],
  [50, 'yyyy"年"m"月"'],
  [51, 'm"月"d"日"'],
  [52, 'yyyy"年"m"月"'],
  [53, 'm"月"d"日"'],
  [54, 'm"月"d"日"'],
  [55, '上午/下午h"时"mm"分"'],
  [56, '上午/下午h"时"mm"分"ss"秒"'],
  [57, 'yyyy"年"m"月"'],
  [58, 'm"月"d"日"'],
]);

/** The library declares format 56 like this, with a quoted marker, in every workbook that it writes. */
const LIBRARY_FORMAT_56 = '"上午/下午 "hh"時"mm"分"ss"秒 "';

export const withoutLibraryFormat = (code: string): string =>
  code === LIBRARY_FORMAT_56 ? (chineseBuiltInFormats.get(56) ?? code) : code;

/** Named formats of XML of Excel 2003 that depend on the system; web pages name the same ones. */
export const chineseNamedDates: ReadonlyMap<string, string> = new Map([
  ['general date', 'yyyy/m/d h:mm'],
  ['short date', 'yyyy/m/d'],
  ['long date', 'yyyy年m月d日'],
]);

const FORMAT_ATTRIBUTE = /(\sss:Format\s*=\s*)(["'])((?:General|Short|Long) Date)\2/gi;

/** Replaces the names, which the library reads as American dates. */
export const withChineseNamedDates = (xml: string): string =>
  xml.replace(
    FORMAT_ATTRIBUTE,
    (_, head: string, quote: string, name: string) =>
      `${head}${quote}${chineseNamedDates.get(name.toLowerCase()) ?? name}${quote}`,
  );

/** Formats for the next xls file that the library reads; formats that the file declares take precedence. */
export const loadBuiltInFormats = (): void => XLSX.SSF.load_table(Object.fromEntries(chineseBuiltInFormats));

const STYLES_PART = /styles?\d*\.xml$/i;
const BINARY_STYLES_PART = /styles?\d*\.bin$/i;
const STYLE_SHEET_START = /<(?:\w+:)?styleSheet\b[^<>]*>/;
const FORMATS_START = /<(?:\w+:)?numFmts\b[^<>]*(?<!\/)>/;
const EMPTY_FORMATS = /<(?:\w+:)?numFmts\b[^<>]*\/>/;

const declarations = [...chineseBuiltInFormats]
  .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`)
  .join('');

/** The library reads declared formats only after it has reset its own; later declarations take precedence. */
function declareBuiltInFormats(styles: string): string {
  if (FORMATS_START.test(styles)) return styles.replace(FORMATS_START, (start) => start + declarations);
  const withoutEmptyFormats = styles.replace(EMPTY_FORMATS, '');
  return withoutEmptyFormats.replace(STYLE_SHEET_START, (start) => `${start}<numFmts>${declarations}</numFmts>`);
}

const declarationRecords = Buffer.concat([...chineseBuiltInFormats].map(([id, code]) => numberFormatRecord(id, code)));

/** Inserts the declarations after the record that begins the styles. */
function declareBuiltInFormatRecords(styles: Buffer): Buffer {
  const first = readXlsbRecords(styles).next().value;
  return first
    ? Buffer.concat([styles.subarray(0, first.end), declarationRecords, styles.subarray(first.end)])
    : styles;
}

export const PARSING_OPTIONS: XLSX.ParsingOptions = {
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellNF: true,
  cellStyles: true,
  bookVBA: false,
  WTF: false,
};

type ZipContainer = { FullPaths: string[]; FileIndex: { content?: Uint8Array; size: number }[] };
/** Exported by the library, but not declared in its types. */
const { parse_zip: parseZip } = XLSX as unknown as {
  parse_zip(container: ZipContainer, options: XLSX.ParsingOptions): XLSX.WorkBook;
};

/** Reads a zipped workbook whose styles declare the built-in formats, too. */
export function readZippedWorkbook(bytes: Buffer, options: XLSX.ParsingOptions): XLSX.WorkBook {
  const container: ZipContainer = XLSX.CFB.read(bytes, { type: 'buffer' });
  for (const [index, path] of container.FullPaths.entries()) {
    const part = container.FileIndex[index];
    if (!part?.content) continue;
    const styles = Buffer.from(part.content);
    if (STYLES_PART.test(path)) part.content = Buffer.from(declareBuiltInFormats(styles.toString('utf8')));
    else if (BINARY_STYLES_PART.test(path)) part.content = declareBuiltInFormatRecords(styles);
    else continue;
    part.size = part.content.length;
  }
  return parseZip(container, { ...options, type: 'buffer', sheetStubs: true });
}

/** Reads a workbook that consists of the given parts, by their paths. */
export function parseZippedParts(parts: ReadonlyMap<string, Buffer>, options: XLSX.ParsingOptions): XLSX.WorkBook {
  const container: ZipContainer = XLSX.CFB.utils.cfb_new();
  for (const [path, bytes] of parts) {
    const content = STYLES_PART.test(path) ? Buffer.from(declareBuiltInFormats(bytes.toString('utf8'))) : bytes;
    XLSX.CFB.utils.cfb_add(container, `/${path}`, content);
  }
  return parseZip(container, { ...options, type: 'buffer', sheetStubs: true });
}

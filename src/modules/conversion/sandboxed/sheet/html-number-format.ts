import { chineseNamedDates } from './built-in-formats.ts';
import { formatExcelCell, LITERAL_POINT } from './number-format.ts';

type Attributes = Record<string, string>;

/** The first is written by Excel, the second by programs that export tables. */
const DECLARATION =
  /(?:^|[;{\s])(?:mso-number-format|vnd\.ms-excel\.numberformat)\s*:\s*("(?:[^"\\]|\\[\s\S]){0,999}"|'(?:[^'\\]|\\[\s\S]){0,999}'|(?:[^;\\]|\\[\s\S]){1,999})/i;
const CELL_SELECTOR = /^(?:td|th)?(?:\.([\w\u0080-\uffff-]+))?$/i;
/** Excel writes escapes of four digits, which digits may follow. */
const ESCAPE = /\\(?:([\da-f]{4})|([\s\S]))/gi;

/** Names of formats in web pages, and the formats on a Chinese system. */
const namedFormats = new Map([
  ...chineseNamedDates,
  ['medium date', 'd-mmm-yy'],
  ['short time', 'h:mm'],
  ['medium time', 'h:mm AM/PM'],
  ['long time', 'h:mm:ss'],
  ['fixed', '0.00'],
  ['standard', '#,##0.00'],
  ['percent', '0.00%'],
  ['scientific', '0.00E+00'],
]);

function parseMsoNumberFormat(declarations: string): string | null {
  const value = DECLARATION.exec(declarations)?.[1]?.trim() ?? '';
  const code = value
    .replace(/^(["'])([\s\S]*)\1$/, '$2')
    .replace(ESCAPE, (_, digits: string | undefined, character = '') =>
      digits ? String.fromCharCode(Number.parseInt(digits, 16)) : character,
    );
  return namedFormats.get(code.toLowerCase()) ?? (code || null);
}

/** Formats of cells by class; those of all cells have the key ''. */
function parseFormatRules(styleSheets: string[]): Map<string, string> {
  const formats = new Map<string, string>();
  for (const rule of styleSheets.flatMap((styleSheet) => styleSheet.split('}'))) {
    const brace = rule.indexOf('{');
    const format = brace < 0 ? null : parseMsoNumberFormat(rule.slice(brace));
    if (!format) continue;
    for (const selector of rule.slice(0, brace).replace('<!--', '').split(',')) {
      const match = selector.trim() ? CELL_SELECTOR.exec(selector.trim()) : null;
      if (match) formats.set(match[1] ?? '', format);
    }
  }
  return formats;
}

/**
 * Returns a function that finds how the text of a cell is displayed, by its `style` attribute or the rules of the page;
 * null if the text stays as it is.
 */
export function cellFormatterFinder(styleSheets: string[]): (attributes: Attributes) => CellFormatter | null {
  const formats = parseFormatRules(styleSheets);
  return ({ style = '', class: names = '', 'x:str': textMark, 'x:num': number = '' }) => {
    if (textMark !== undefined) return null;
    const className = names.split(/\s+/).findLast((name) => name !== '' && formats.has(name));
    const format = parseMsoNumberFormat(style) ?? formats.get(className ?? '') ?? null;
    return format === null || /^general\b/i.test(format) ? null : (text) => formatHtmlCell(text, number, format);
  };
}

export type CellFormatter = (text: string) => string;

const TEXT_FORMAT = /^[^;]*@[^;]*$/;
/** A value as Excel saves it, with all its digits. */
const SAVED_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Excel saves the value of a cell in the attribute `x:num` (here `number`) if its text shows less. */
function formatHtmlCell(text: string, number: string, format: string): string {
  if (TEXT_FORMAT.test(format)) return formatExcelCell({ t: 's', v: text, z: format }, false) ?? text;
  const value = SAVED_NUMBER.test(number) ? Number(number) : unformattedNumber(text, format);
  return value === null ? text : (formatExcelCell({ v: value, z: format }, false) ?? text);
}

/** Excel keeps 15 digits of a number; longer ones stay as they are written. A leading zero shows that a text is formatted. */
const NUMBER = /^[+-]?(?=(?:\.?\d){1,15}$)(?:0|[1-9]\d*)(?:\.\d+)?$/;
const LITERAL = /"[^"]*"|[\\!_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]|AM\/PM/gi;
const ELAPSED_TIME = /\[[hms]+\]/i;
/** A comma behind the last placeholder divides by 1000. */
const THOUSANDS = /[#0?],+(?![#0?,])/;
const DATE_PART = /[ymdhs]|a{3}|e(?![+-])/gi;
/** 18 May 1927 to 31 December 2099. Years and dates of six digits (yymmdd, yyyymm) are outside. */
const DATE_SERIALS = { first: 10_000, last: 73_050 };

/**
 * The number of a text that the page has not formatted; null for any other text. Excel takes every number for a value,
 * but Excel itself and many programs write displayed texts: 2024 in the format `yyyy` is a year, and Excel would show
 * it as 1905. A number is a value if the format cannot have produced it and, for dates and times, if it is a likely
 * serial number. Formats of one date part, of elapsed time and of thousands may produce any number.
 */
function unformattedNumber(text: string, format: string): number | null {
  if (!NUMBER.test(text) || LITERAL_POINT.test(format)) return null;
  const [section = ''] = format.replace(LITERAL, '').split(';');
  if (ELAPSED_TIME.test(section) || THOUSANDS.test(section)) return null;
  const value = Number(text);
  const dateParts = new Set(section.toLowerCase().match(DATE_PART));
  return dateParts.size === 0 || (dateParts.size > 1 && isLikelySerial(value, dateParts)) ? value : null;
}

function isLikelySerial(value: number, dateParts: Set<string>): boolean {
  const isTime =
    ['h', 's'].some((part) => dateParts.has(part)) && !['y', 'd', 'e', 'aaa'].some((part) => dateParts.has(part));
  return isTime ? value >= 0 && value < 1 : value >= DATE_SERIALS.first && value < DATE_SERIALS.last + 1;
}

import XLSX from '@e965/xlsx';
import { type NumeralStyle, spellDate, spellDigits, spellNumber } from './chinese-numerals.ts';

/**
 * Placeholders around a literal point: `0!.0,"万"` shows 123456 as 12.3万. SSF counts the commas that divide by 1000 as
 * digits there.
 */
const LITERAL_POINT = /([#0?][#0?,]*)(?:[\\!]\.|"\.")([#0?]+)(,*)/;
/** Literal parts of a format code, and characters that SSF does not support. */
const TOKEN =
  /[#0?][#0?,]*(?:[\\!]\.|"\.")[#0?]+,*|"[^"]*"|\\.|!.|_.|\*.|\[[^\]]*\]|上午\/下午|AM\/PM|General|G\/通用格式|A{3,4}|d{3,4}|e+(?![+-])|[^\x20-\x7e]/giu;
const CHINESE = /\[\$[^\]]*-(?:804|404|1004|C04|1404)\]/i;
const TAIWAN = /\[\$[^\]]*-404\]/;
/** Year 1 of the Taiwan calendar is 1912. */
const TAIWAN_YEAR_OFFSET = 1911;
/** Long date and time formats of the system, as shown by a Chinese system. */
const systemFormats: [mark: RegExp, code: string][] = [
  [/\[\$-F800\]/i, 'yyyy年m月d日'],
  [/\[\$-F400\]/i, 'h:mm:ss'],
];
const GENERAL = /^(?:\[[^\]]*\])*(?:General|G\/通用格式)/i;
/** Codes that SSF formats like Excel. */
const isPlain = (code: string) => /^[\x20-\x7e]*$/.test(code) && !/DBNum|\[\$-|a{3}|!|\\\.|"\."/i.test(code);

const WEEKDAYS = '日一二三四五六';

/**
 * Formats a number, or returns null when SSF cannot. Chinese office software writes 年, 月, 日, 元 or ¥ into format codes
 * without quotes; SSF rejects such codes.
 */
function formatNumber(value: number, code: string, date1904: boolean): string | null {
  const systemFormat = systemFormats.find(([mark]) => mark.test(code))?.[1];
  const style = Number(/\[DBNum([123])\]/i.exec(code)?.[1] ?? 0) as NumeralStyle | 0;
  const isChinese = CHINESE.test(code);
  const source = systemFormat ?? code;
  const general = source.includes(';') ? Math.abs(value) : value;
  const format = source.replace(TOKEN, (token) =>
    translate(token, { value, date1904, isChinese, isTaiwan: TAIWAN.test(code), general }),
  );
  try {
    const text: string = XLSX.SSF.format(format, value, { date1904 });
    if (style === 0) return text;
    if (XLSX.SSF.is_date(format)) return spellDate(text, style);
    return GENERAL.test(source) ? spellNumber(text, style) : spellDigits(text, style);
  } catch {
    return null; // SSF throws for codes that it does not support.
  }
}

type TokenContext = {
  value: number;
  date1904: boolean;
  isChinese: boolean;
  isTaiwan: boolean;
  /** The value as a General section shows it. */
  general: number;
};

function translate(token: string, context: TokenContext): string {
  const { value, date1904, isChinese, isTaiwan, general } = context;
  if (LITERAL_POINT.test(token)) return `"${digitsAroundPoint(token, general)}"`;
  // Chinese Excel escapes the next character with an exclamation mark.
  if (token.startsWith('!')) return token === '!"' ? '\\"' : `"${token.slice(1)}"`;
  if (isTaiwan && /^e+$/i.test(token)) {
    const year = (XLSX.SSF.parse_date_code(value, { date1904 })?.y ?? 0) - TAIWAN_YEAR_OFFSET;
    return year > 0 ? `"${String(year).padStart(token.length, '0')}"` : token;
  }
  // SSF drops text beside General.
  if (GENERAL.test(token)) return `"${XLSX.SSF.format('General', general)}"`;
  // [DBNum1] is spelled afterwards; [$-804] names a language and shows nothing.
  if (/^\[(?:DBNum\d|\$-[\dA-F]+|\$-[a-z-]+)\]$/i.test(token)) return '';
  if (/^AM\/PM$/i.test(token)) return isChinese ? '上午/下午' : token;
  if (/^a{3,4}$/i.test(token) || (isChinese && /^d{3,4}$/i.test(token))) {
    const weekday = WEEKDAYS[XLSX.SSF.parse_date_code(value, { date1904 })?.q ?? 0] ?? '';
    return `"${token.length === 4 ? '星期' : token.startsWith('d') ? '周' : ''}${weekday}"`;
  }
  // Quotes are used because a backslash escapes only one UTF-16 unit.
  return /^[^\x20-\x7e]$/u.test(token) ? `"${token}"` : token;
}

/** Inserts the point before the last digits of the rounded number, which Excel groups as an integer. */
function digitsAroundPoint(token: string, value: number): string {
  const [, head = '', tail = '', commas = ''] = LITERAL_POINT.exec(token) ?? [];
  const placeholders = head.replaceAll(',', '') + tail;
  const whole = Math.round(Math.abs(value) / 1000 ** commas.length);
  const digits = XLSX.SSF.format('0', whole).padStart(placeholders.length - placeholders.search(/0|$/), '0');
  const groupedDigits = head.includes(',') ? digits.replace(/\B(?=(?:\d{3})+$)/g, ',') : digits;
  const lastDigits = new RegExp(`(?:\\d,?){0,${tail.length - 1}}\\d$`);
  return (value < 0 ? '-' : '') + groupedDigits.replace(lastDigits, (last: string) => `.${last}`);
}

/** Text of a numeric cell of an Excel file; `w` is the text of the library, if any. */
export function numberText(
  { v, z, w }: { v?: unknown; z?: unknown; w?: string | undefined },
  date1904: boolean,
): string | undefined {
  if (typeof v !== 'number' || typeof z !== 'string' || (w !== undefined && isPlain(z))) return w;
  return formatNumber(v, z, date1904) ?? w;
}

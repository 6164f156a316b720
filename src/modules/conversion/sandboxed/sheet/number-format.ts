import XLSX from '@e965/xlsx';
import { withoutLibraryFormat } from './built-in-formats.ts';
import {
  eraName,
  eraYear,
  formatCodeLanguage,
  monthName,
  type SerialDate,
  translateDayHalves,
  weekdayName,
} from './calendar-names.ts';
import { type NumeralStyle, spellDate, spellDigits, spellNumber } from './chinese-numerals.ts';

/**
 * Placeholders around a literal point: `0!.0,"万"` shows 123456 as 12.3万. SSF counts the commas that divide by 1000 as
 * digits there.
 */
export const LITERAL_POINT = /([#0?][#0?,]*)(?:[\\!]\.|"\.")([#0?]+)(,*)/;
/** Literal parts of a format code, and characters that SSF does not support. */
const TOKEN =
  /[#0?][#0?,]*(?:[\\!]\.|"\.")[#0?]+,*|"[^"]*"|\\.|!.|_.|\*.|\[[^\]]*\]|上午\/下午|AM\/PM|General|G\/通用格式|A{3,4}|d{3,4}|m{3,}|g{1,3}(?=\s*e)|e+(?![+-])|(?<=[ymde])\.(?=[ymda])|@|[^\x20-\x7e]/giu;
/** Long date and time formats of the system, as shown by a Chinese system. */
const systemFormats: [mark: RegExp, code: string][] = [
  [/\[\$-(?:F800|x-sysdate)\]/i, 'yyyy年m月d日'],
  [/\[\$-(?:F400|x-systime)\]/i, 'h:mm:ss'],
];
const GENERAL = /^(?:\[[^\]]*\])*(?:General|G\/通用格式)/i;
/** Codes that SSF formats like Excel. A text format applies to numbers, too, if it is the only section. */
const isSupportedBySsf = (code: string) =>
  /^[\x20-\x7e]*$/.test(code) && !/DBNum|\[\$-|a{3}|!|\\\.|"\."|[ymde]\.[ymda]|^[^;]+@|^@[^;]/i.test(code);

/** The sections of a format code that format numbers, without literal text. */
const numberSections = (code: string) => code.replace(/"[^"]*"|[\\!_*]./g, '').replace(/;[^;]*@[^;]*$/, '');

/**
 * Whether a minus sign precedes the formatted absolute value of a negative number. SSF rounds halves of such numbers towards
 * zero, Excel away from zero.
 */
const hasAutomaticSign = (code: string) =>
  !/;|\[[<>=]/.test(numberSections(code)) && !XLSX.SSF.is_date(withSsfWeekdays(code));

/** Excel shows no sign when all digits of the formatted number are 0, except in a fraction. */
function withSign(text: string, format: string): string {
  const placeholders = numberSections(format);
  const canBeZero = /[0#?]/.test(placeholders) && !placeholders.includes('/');
  return canBeZero && text === XLSX.SSF.format(format, 0) ? text : `-${text}`;
}

/**
 * Formats a number, or returns null when SSF cannot. Chinese office software writes 年, 月, 日, 元 or ¥ into format codes
 * without quotes; SSF rejects such codes.
 */
function formatNumber(value: number, code: string, date1904: boolean): string | null {
  const systemFormat = systemFormats.find(([mark]) => mark.test(code))?.[1];
  const style = Number(/\[DBNum([123])\]/i.exec(code)?.[1] ?? 0) as NumeralStyle | 0;
  const language = formatCodeLanguage(code);
  const source = systemFormat ?? code;
  const isOneSection = !source.includes(';');
  const isSigned = value < 0 && hasAutomaticSign(source);
  const general = isOneSection && !isSigned ? value : Math.abs(value);
  const format = source.replace(TOKEN, (token) =>
    translateFormatToken(token, { value, date1904, language, general, isOneSection }),
  );
  try {
    const formattedText = XLSX.SSF.format(format, isSigned ? -value : value, { date1904 });
    const text = translateDayHalves(isSigned ? withSign(formattedText, format) : formattedText, language);
    if (style === 0) return text;
    if (XLSX.SSF.is_date(format)) return spellDate(text, style);
    return GENERAL.test(source) ? spellNumber(text, style) : spellDigits(text, style);
  } catch {
    return null; // SSF throws for codes that it does not support.
  }
}

/** Formats a text, or returns null when SSF cannot. */
function formatText(value: string, code: string): string | null {
  try {
    return XLSX.SSF.format(code.replace(TOKEN, quoteLiteral), value);
  } catch {
    return null; // SSF throws for codes that it does not support.
  }
}

type TokenContext = SerialDate & {
  /** The value as a General section shows it. */
  general: number;
  isOneSection: boolean;
};

/** SSF knows `ddd` but not `aaa`. */
const withSsfWeekdays = (code: string) => code.replace(/a{3,4}/gi, (token) => 'd'.repeat(token.length));

const quoteOrNull = (text: string | null) => (text === null ? null : `"${text}"`);

function translateFormatToken(token: string, context: TokenContext): string {
  const { language, general, isOneSection } = context;
  if (LITERAL_POINT.test(token)) return `"${digitsAroundPoint(token, general)}"`;
  // SSF drops text beside General.
  if (GENERAL.test(token) || (token === '@' && isOneSection)) return `"${XLSX.SSF.format('General', general)}"`;
  // [DBNum1] is spelled afterwards; [$-804] names a language and shows nothing.
  if (/^\[(?:DBNum\d|\$-[\dA-F]+|\$-[a-z][a-z\d-]*)\]$/i.test(token)) return '';
  if (/^AM\/PM$/i.test(token)) return language ? '上午/下午' : token;
  if (/^g+$/i.test(token)) return quoteOrNull(eraName(token, context)) ?? token;
  if (/^e+$/i.test(token)) return quoteOrNull(eraYear(token, context)) ?? token;
  if (/^m{3,4}$/i.test(token)) return quoteOrNull(monthName(token, context)) ?? token;
  if (/^(?:a{3,4}|d{3,4})$/i.test(token)) return quoteOrNull(weekdayName(token, context)) ?? withSsfWeekdays(token);
  return quoteLiteral(token);
}

function quoteLiteral(token: string): string {
  // Chinese Excel escapes the next character with an exclamation mark.
  if (token.startsWith('!')) return token === '!"' ? '\\"' : `"${token.slice(1)}"`;
  // SSF takes a point in a date for that of seconds.
  if (token === '.') return '"."';
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

/** Displayed text of a cell of an Excel file; `w` is the text of the library, if any. */
export function formatExcelCell(
  { t, v, z, w }: { t?: string; v?: unknown; z?: unknown; w?: string | undefined },
  date1904: boolean,
): string | undefined {
  if (typeof z !== 'string') return w;
  if (t === 's' && typeof v === 'string') return w ?? formatText(v, z) ?? undefined;
  if (typeof v !== 'number') return w;
  const code = withoutLibraryFormat(z);
  const mayLibraryRoundWrongly = v < 0 && hasAutomaticSign(code);
  const text =
    w !== undefined && isSupportedBySsf(code) && !mayLibraryRoundWrongly ? w : (formatNumber(v, code, date1904) ?? w);
  return text === '' && isOutsideCalendar(v, z, date1904) ? String(v) : text;
}

const EMPTY_NEGATIVE_SECTION = /^[^;]*;(?:\[[^\]]*\]|"")*(?:;|$)/;

/** Whether SSF returns no text because the calendar of Excel lacks the date, and not because the code hides the number. */
const isOutsideCalendar = (value: number, code: string, date1904: boolean): boolean =>
  XLSX.SSF.parse_date_code(value, { date1904 }) === null &&
  XLSX.SSF.is_date(withSsfWeekdays(code)) &&
  !(value < 0 && EMPTY_NEGATIVE_SECTION.test(code));

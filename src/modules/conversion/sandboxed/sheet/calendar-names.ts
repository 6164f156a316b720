import XLSX from '@e965/xlsx';

/** The language that a format code names, as far as dates are shown differently in it. */
export type FormatLanguage = 'chinese' | 'taiwan' | 'japanese' | 'japaneseGannen' | null;

const LANGUAGE = /\[\$[^\]-]*-([\dA-F]+|[a-z]{2,3}(?:-[a-z\d]+)*)\]/i;
/** The lower half of a number names the language, the upper half numerals and calendar. */
const languagesById = new Map<number, FormatLanguage>([
  [0x804, 'chinese'],
  [0x1004, 'chinese'],
  [0xc04, 'chinese'],
  [0x1404, 'chinese'],
  [0x404, 'taiwan'],
  [0x411, 'japanese'],
]);

export function formatCodeLanguage(code: string): FormatLanguage {
  const name = LANGUAGE.exec(code)?.[1] ?? '';
  if (/^[\dA-F]+$/i.test(name)) return languagesById.get(Number.parseInt(name, 16) & 0xffff) ?? null;
  if (/^ja\b/i.test(name)) return /gannen/i.test(name) ? 'japaneseGannen' : 'japanese';
  if (/^zh-(?:TW|Hant-TW)\b/i.test(name)) return 'taiwan';
  return /^zh\b/i.test(name) ? 'chinese' : null;
}

const isJapanese = (language: FormatLanguage) => language === 'japanese' || language === 'japaneseGannen';

/** First days of the eras as yyyymmdd, newest first. Excel knows no dates before 1900. */
const japaneseEras: { from: number; names: [letter: string, short: string, full: string] }[] = [
  { from: 2019_05_01, names: ['R', '令', '令和'] },
  { from: 1989_01_08, names: ['H', '平', '平成'] },
  { from: 1926_12_25, names: ['S', '昭', '昭和'] },
  { from: 1912_07_30, names: ['T', '大', '大正'] },
  { from: 1868_01_01, names: ['M', '明', '明治'] },
];
/** Year 1 of the Taiwan calendar is 1912. */
const TAIWAN_YEAR_OFFSET = 1911;

export type SerialDate = { value: number; date1904: boolean; language: FormatLanguage };

const parseSerialDate = ({ value, date1904 }: SerialDate) =>
  XLSX.SSF.parse_date_code(value, { date1904 }) as { y: number; m: number; d: number; q: number } | null;

function japaneseEra({ y, m, d }: { y: number; m: number; d: number }) {
  const day = y * 10_000 + m * 100 + d;
  const era = japaneseEras.find(({ from }) => from <= day);
  return era && { names: era.names, year: y - Math.floor(era.from / 10_000) + 1 };
}

/** `g`, `gg` or `ggg` before a year of the era; null where the language has none. */
export function eraName(token: string, serial: SerialDate): string | null {
  const date = parseSerialDate(serial);
  if (!date) return null;
  if (isJapanese(serial.language)) return japaneseEra(date)?.names[token.length - 1] ?? null;
  if (serial.language === 'taiwan' && date.y > TAIWAN_YEAR_OFFSET) return token.length === 3 ? '中華民國' : '民國';
  return '公元';
}

/** `e` or `ee`, the year of the era; null for the year of the common calendar. */
export function eraYear(token: string, serial: SerialDate): string | null {
  const date = parseSerialDate(serial);
  const era = date && isJapanese(serial.language) ? japaneseEra(date) : null;
  if (era?.year === 1 && serial.language === 'japaneseGannen') return '元';
  const year = era?.year ?? (serial.language === 'taiwan' ? (date?.y ?? 0) - TAIWAN_YEAR_OFFSET : 0);
  return year > 0 ? String(year).padStart(token.length, '0') : null;
}

const CHINESE_WEEKDAYS = '日一二三四五六';
const JAPANESE_WEEKDAYS = '日月火水木金土';

/** `aaa`, `aaaa`, and `ddd`, `dddd` of these languages; null for English names and numbers that are no date. */
export function weekdayName(token: string, serial: SerialDate): string | null {
  const { language } = serial;
  const isNumeral = token.toLowerCase().startsWith('a');
  if (!isNumeral && language === null) return null;
  const weekday = parseSerialDate(serial)?.q;
  if (weekday === undefined) return null;
  if (isJapanese(language)) return (JAPANESE_WEEKDAYS[weekday] ?? '') + (token.length === 4 ? '曜日' : '');
  const prefix = token.length === 4 ? '星期' : isNumeral ? '' : '周';
  return prefix + (CHINESE_WEEKDAYS[weekday] ?? '');
}

const CHINESE_MONTHS = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** `mmm` or `mmmm` of these languages; null for English names. */
export function monthName(token: string, serial: SerialDate): string | null {
  const month = parseSerialDate(serial)?.m;
  if (!month || serial.language === null) return null;
  const isSpelled = token.length === 4 && !isJapanese(serial.language);
  return `${isSpelled ? CHINESE_MONTHS[month - 1] : month}月`;
}

/** SSF knows the Chinese names of the halves of a day only. */
export const translateDayHalves = (text: string, language: FormatLanguage): string =>
  isJapanese(language) ? text.replace('上午', '午前').replace('下午', '午後') : text;

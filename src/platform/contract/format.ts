const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS_OF_MONTH = 30;
const MONTHS_OF_YEAR = 12;

type Time = string | number | Date | null | undefined;

/** Epoch milliseconds, or null when there is no such time. */
function millisecondsOf(time: Time): number | null {
  if (time === null || time === undefined || time === '') return null;
  const milliseconds = new Date(time).getTime();
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

/** 刚刚, 5 分钟前, 3 小时前, 2 天前, 4 个月前, 1 年前. A time to come counts as now. */
export function relativeTime(time: Time, now: number = Date.now()): string {
  const then = millisecondsOf(time);
  if (then === null) return '-';
  const seconds = Math.floor((now - then) / 1000);
  if (seconds < MINUTE) return '刚刚';
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} 分钟前`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} 小时前`;
  const days = Math.floor(seconds / DAY);
  if (days < DAYS_OF_MONTH) return `${days} 天前`;
  const months = Math.floor(days / DAYS_OF_MONTH);
  if (months < MONTHS_OF_YEAR) return `${months} 个月前`;
  return `${Math.floor(months / MONTHS_OF_YEAR)} 年前`;
}

const DEFAULT_TIME_ZONE = 'Asia/Shanghai';
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(timeZone: string) {
  const known = formatters.get(timeZone);
  if (known) return known;
  // The Swedish locale writes dates as ISO 8601 does: 2026-11-15 08:30:00.
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  formatters.set(timeZone, made);
  return made;
}

/** `yyyy-MM-dd hh:mm:ss` in the site's time zone, the same on server and browser; '-' when empty. */
export function formatDateTime(time: Time, timeZone = DEFAULT_TIME_ZONE): string {
  const milliseconds = millisecondsOf(time);
  if (milliseconds === null) return '-';
  return formatterOf(timeZone || DEFAULT_TIME_ZONE).format(milliseconds);
}

/** `yyyy-MM-dd`; '-' when empty. */
export const formatDate = (time: Time, timeZone = DEFAULT_TIME_ZONE): string =>
  formatDateTime(time, timeZone).slice(0, 10);

const SIZE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Base 1024 with two decimals: 1.50 MB. */
export function formatSize(bytes: number): string {
  let size = Number.isFinite(bytes) && bytes > 0 ? bytes : 0;
  let unit = 0;
  // 1023.996 would be written 1024.00: it belongs to the next unit.
  while (unit < SIZE_UNITS.length - 1 && Number(size.toFixed(2)) >= 1024) {
    size /= 1024;
    unit += 1;
  }
  return `${size.toFixed(2)} ${SIZE_UNITS[unit]}`;
}

const EXTENSIONS = {
  pdf: ['pdf'],
  word: ['doc', 'docx', 'rtf', 'wps', 'odt', 'dot'],
  ppt: ['ppt', 'pptx', 'pps', 'ppsx', 'dps', 'odp', 'pot'],
  excel: ['xls', 'xlsx', 'et', 'ods', 'csv', 'tsv'],
  text: ['txt'],
  epub: ['epub'],
  mobi: ['mobi'],
  chm: ['chm'],
  umd: ['umd'],
} as const;
export type FileType = keyof typeof EXTENSIONS | 'other';
/**
 * Extensions of which the files are stored under another one: templates of current formats, and the XML documents of
 * Word, which it opens under the name .doc, too.
 */
const extensionAliases = new Map([
  ['dotx', 'docx'],
  ['potx', 'pptx'],
  ['xml', 'doc'],
]);
/** The extension under which a file is stored; both in lower case without dots. */
export const canonicalExtension = (extension: string): string => extensionAliases.get(extension) ?? extension;
/** Aliases of these extensions; both with dots. */
export const aliasesOf = (extensions: readonly string[]): string[] =>
  [...extensionAliases].flatMap(([alias, extension]) => (extensions.includes(`.${extension}`) ? [`.${alias}`] : []));
/** Every extension of which the type is known, without dots. */
export const documentExtensions: readonly string[] = Object.values(EXTENSIONS).flat();

const typeOfExtension = new Map<string, FileType>(
  Object.entries(EXTENSIONS).flatMap(([type, list]) => list.map((extension) => [extension, type as FileType] as const)),
);

/** Without their dots. */
export const extensionsOf = (type: keyof typeof EXTENSIONS): readonly string[] => EXTENSIONS[type];

/** Accepts an extension with or without its dot, or a file name, in any case. */
export function fileType(nameOrExtension: string): FileType {
  const extension = nameOrExtension.slice(nameOrExtension.lastIndexOf('.') + 1).toLowerCase();
  return typeOfExtension.get(extension) ?? 'other';
}

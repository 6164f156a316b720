const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const DAYS_PER_MONTH = 30;
const MONTHS_PER_YEAR = 12;

type Time = string | number | Date | null | undefined;

/** Epoch milliseconds; null for a missing or invalid time. */
function millisecondsOf(time: Time): number | null {
  if (time === null || time === undefined || time === '') return null;
  const milliseconds = new Date(time).getTime();
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

/** 刚刚, 5 分钟前, 3 小时前, 2 天前, 4 个月前, 1 年前. A future time counts as now. */
export function relativeTime(time: Time, now: number = Date.now()): string {
  const milliseconds = millisecondsOf(time);
  if (milliseconds === null) return '-';
  const seconds = Math.floor((now - milliseconds) / 1000);
  if (seconds < MINUTE_SECONDS) return '刚刚';
  if (seconds < HOUR_SECONDS) return `${Math.floor(seconds / MINUTE_SECONDS)} 分钟前`;
  if (seconds < DAY_SECONDS) return `${Math.floor(seconds / HOUR_SECONDS)} 小时前`;
  const days = Math.floor(seconds / DAY_SECONDS);
  if (days < DAYS_PER_MONTH) return `${days} 天前`;
  const months = Math.floor(days / DAYS_PER_MONTH);
  if (months < MONTHS_PER_YEAR) return `${months} 个月前`;
  return `${Math.floor(months / MONTHS_PER_YEAR)} 年前`;
}

const DEFAULT_TIME_ZONE = 'Asia/Shanghai';
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(timeZone: string) {
  const cachedFormatter = formatters.get(timeZone);
  if (cachedFormatter) return cachedFormatter;
  // The Swedish locale formats dates like ISO 8601: 2026-11-15 08:30:00.
  const formatter = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  formatters.set(timeZone, formatter);
  return formatter;
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

import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormatOf(timeZone: string): Intl.DateTimeFormat {
  const cachedDateFormat = formats.get(timeZone);
  if (cachedDateFormat) return cachedDateFormat;
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...digits });
  formats.set(timeZone, format);
  return format;
}

/** The calendar day of an instant in a time zone, as the number yyyymmdd. */
export function dayNumberIn(timeZone: string, date: Date): number {
  const parts = dateFormatOf(timeZone).formatToParts(date);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return part('year') * 10_000 + part('month') * 100 + part('day');
}

/** The current day in the time zone of the site, for check-ins and daily limits. */
export async function siteDay(ctx: Context, date = ctx.now()): Promise<number> {
  const { system } = await getSettings(ctx);
  return dayNumberIn(system.timezone, date);
}

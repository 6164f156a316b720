import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function cachedFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...digits });
  formats.set(timeZone, format);
  return format;
}

/** The calendar day of an instant somewhere, as the number yyyymmdd. */
export function dayNumberIn(timeZone: string, date: Date): number {
  const parts = cachedFormat(timeZone).formatToParts(date);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return part('year') * 10_000 + part('month') * 100 + part('day');
}

/** The day of the site's time zone, from which sign-in and daily limits count anew. */
export async function siteDay(ctx: Context, date = ctx.now()): Promise<number> {
  const { system } = await getSettings(ctx);
  return dayNumberIn(system.timezone, date);
}

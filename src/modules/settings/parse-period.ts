import { sql } from 'drizzle-orm';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { getSettings } from './settings.ts';

/** Converts a time to ISO 8601; a time without a zone is in the time zone of the site. */
async function parseSiteTime(ctx: Context, text: string): Promise<string> {
  // PostgreSQL would accept 'infinity', which is no valid time here.
  if (Number.isNaN(new Date(text).getTime())) throw httpErrors.invalidInput('时间不正确');
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(text.trim());
  if (hasZone) return new Date(text).toISOString();
  const { timezone } = (await getSettings(ctx)).system;
  const { rows } = await ctx.db.execute<{ instant: Date | string }>(
    sql`select (${text}::timestamp at time zone ${timezone}::text) as instant`,
  );
  return new Date(rows[0]?.instant ?? 0).toISOString();
}

/** Either end may be empty. */
export async function parsePeriod(ctx: Context, [from, to]: readonly string[] = []) {
  return {
    from: from ? await parseSiteTime(ctx, from) : undefined,
    to: to ? await parseSiteTime(ctx, to) : undefined,
  };
}

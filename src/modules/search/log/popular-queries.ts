import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { searcher } from './record-search.ts';

const SHOWN = 10;
const DAYS = 7;
/** What one person alone searched for is nobody else's business, at a desk, a phone or logged in. */
const LEAST_PEOPLE = 3;
const KEPT_MS = 60_000;

const kept = new WeakMap<object, { until: number; words: Promise<string[]> }>();

async function count(ctx: Context): Promise<string[]> {
  const since = new Date(ctx.now().getTime() - DAYS * 86_400_000).toISOString();
  const { rows } = await ctx.db.execute<{ keywords: string }>(sql`
    select keywords from (
      select lower(keywords) as folded, min(keywords) as keywords,
        count(distinct ${searcher}) as people
      from search_records
      where (user_id is not null or ip <> '')
        and created_at >= ${since} and total > 0 and page = 1 and char_length(keywords) <= 20
        and keywords !~ '(^|\\s)[-－]'
      group by 1) counted
    where people >= ${LEAST_PEOPLE} order by people desc, keywords limit ${SHOWN}`);
  return rows.map(({ keywords }) => keywords);
}

/** What people search for these days; every page asks, so it is counted once a minute. */
export async function popularQueries(ctx: Context) {
  const { recommend_words } = (await getSettings(ctx)).system;
  const now = ctx.now().getTime();
  const known = kept.get(ctx.live);
  const words = known && known.until > now ? known.words : count(ctx);
  if (words !== known?.words) {
    kept.set(ctx.live, { until: now + KEPT_MS, words });
    words.catch(() => kept.delete(ctx.live));
  }
  return { recommend: [...recommend_words], hot: await words };
}

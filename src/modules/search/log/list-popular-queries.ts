import { sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import { cacheFigures } from '#platform/server/cache/cache-figures.ts';
import type { Context } from '#platform/server/context.ts';
import { searcherKey } from './record-search.ts';

const MAX_POPULAR_QUERIES = 10;
const PERIOD_DAYS = 7;
/** A query that few people made could identify them, so it is never published. */
const MIN_SEARCHERS = 3;

async function countPopularQueries(ctx: Context): Promise<string[]> {
  const since = new Date(ctx.now().getTime() - PERIOD_DAYS * 86_400_000).toISOString();
  const { rows } = await ctx.db.execute<{ keywords: string }>(sql`
    select keywords from (
      select lower(keywords) as normalized_keywords, min(keywords) as keywords,
        count(distinct ${searcherKey}) as people
      from search_records
      where (user_id is not null or ip <> '')
        and created_at >= ${since} and total > 0 and page = 1 and char_length(keywords) <= 20
        and keywords !~ '(^|\\s)[-－]'
      group by 1) query_counts
    where people >= ${MIN_SEARCHERS} order by people desc, keywords limit ${MAX_POPULAR_QUERIES}`);
  return rows.map(({ keywords }) => keywords);
}

/** Every page requests these, so they are counted once a minute. */
export async function listPopularQueries(ctx: Context) {
  const { recommend_words } = (await getSettings(ctx)).system;
  const hot = await cacheFigures(ctx, 'popular queries', () => countPopularQueries(ctx));
  return { recommend: [...recommend_words], hot };
}

import type { Context } from '#platform/server/context.ts';
import { parseQuery } from '../query/parse-query.ts';
import { selectablePeriodStarts } from '../query/search-filters.ts';
import { readSynonyms } from '../query/synonyms.ts';
import { selectSearchEngine } from '../select-search-engine.ts';

/**
 * Runs a search at start-up, so that dictionary, character tables and document metadata are loaded before the first
 * request.
 */
export async function warmUpSearch(ctx: Context): Promise<void> {
  const query = await parseQuery('文库', await readSynonyms(ctx));
  const viewer = { isManager: false, userId: null };
  const periodStarts = selectablePeriodStarts(ctx);
  const engine = selectSearchEngine(ctx);
  // Creates a missing index in the cluster: a search in a missing index fails.
  await engine.identity(ctx);
  await engine.find(ctx, {
    query,
    viewer,
    filters: {},
    sort: 'default',
    limit: 1,
    periodStarts,
    collapsesTwins: false,
  });
}

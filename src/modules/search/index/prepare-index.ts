import type { Context } from '#platform/server/context.ts';
import { parseQuery } from '../query/parse-query.ts';
import { sincesOf } from '../query/search-filters.ts';
import { readSynonyms } from '../query/synonyms.ts';
import { searchEngineOf } from '../search-engine-of.ts';

/** Loads what the first search would wait for: dictionary, tables of characters, facts of the documents. */
export async function prepareIndex(ctx: Context): Promise<void> {
  const query = await parseQuery('文库', await readSynonyms(ctx));
  const viewer = { isManager: false, userId: null };
  const sinces = sincesOf(ctx);
  const engine = searchEngineOf(ctx);
  // Creates the index of a cluster that has none yet: a search in a missing one fails.
  await engine.identity(ctx);
  await engine.find(ctx, { query, viewer, filters: {}, sort: 'default', limit: 1, sinces });
}

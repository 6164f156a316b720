import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { hasLetter } from '#modules/text/split-text-runs.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { changeAndInvalidate, readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { countRows, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import { synonyms } from '../search.table.ts';
import { type Synonym, type searchAdminApi, synonymErrors } from '../search-admin.contract.ts';

/** Normalized word to its synonyms. */
export type SynonymMap = ReadonlyMap<string, readonly string[]>;

/** Cache key and notification channel. */
export const SYNONYMS_KEY = 'synonyms';
const { id, enable, words, created_at, updated_at } = synonyms;

export const readSynonyms = (ctx: Context): Promise<SynonymMap> =>
  readThroughLiveCache(ctx, SYNONYMS_KEY, async (db) => {
    const rows = await db.select({ words }).from(synonyms).where(eq(enable, true)).orderBy(id);
    const table = new Map<string, string[]>();
    for (const row of rows) {
      const normalizedWords = row.words.map(normalizeForSearch);
      for (const word of normalizedWords)
        table.set(word, [
          ...new Set([...(table.get(word) ?? []), ...normalizedWords.filter((otherWord) => otherWord !== word)]),
        ]);
    }
    return table;
  });

export async function listSynonyms(ctx: Context, input: ParsedInputOf<typeof searchAdminApi.synonyms>) {
  const order = orderByTerms(input, { id, enable, created_at, updated_at }, [desc(id)]);
  const wd = input.wd?.trim();
  const condition = and(
    wd ? sql`exists (select 1 from unnest(${words}) word where position(${wd} in word) > 0)` : undefined,
  );
  const { limit = 10, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select()
    .from(synonyms)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { total: await countRows(ctx.db, synonyms, condition), synonym: rows };
}

/** Removes words that normalize to the same text, and rejects words without letters or digits. */
function distinctSynonyms(words: string[]): string[] {
  const byNormalizedText = new Map(words.map((word) => [normalizeForSearch(word), word]));
  if (![...byNormalizedText.keys()].every(hasLetter)) throw synonymErrors.empty();
  if (byNormalizedText.size < 2) throw synonymErrors.tooFew();
  return [...byNormalizedText.values()];
}

const targetOfGroup = (row: Pick<Synonym, 'id' | 'words'>) =>
  auditTarget('同义词', [{ id: row.id, name: row.words.join('、') }]);

export const createSynonym = (
  ctx: Context,
  input: ParsedInputOf<typeof searchAdminApi.createSynonym>,
): Promise<Synonym> =>
  changeAndInvalidate(ctx, SYNONYMS_KEY, async (ctx) => {
    const values = { words: distinctSynonyms(input.words), enable: input.enable };
    const [row] = await ctx.db.insert(synonyms).values(values).returning();
    if (!row) throw new Error('the insert returned no row');
    await recordAudit(ctx, { action: '新增同义词', target: targetOfGroup(row), after: values });
    return row;
  });

export async function updateSynonym(
  ctx: Context,
  { id: synonymId, ...change }: ParsedInputOf<typeof searchAdminApi.updateSynonym>,
) {
  await changeAndInvalidate(ctx, SYNONYMS_KEY, async (ctx) => {
    const [before] = await ctx.db.select().from(synonyms).where(eq(id, synonymId)).for('update');
    if (!before) throw synonymErrors.notFound();
    const [after] = await ctx.db
      .update(synonyms)
      .set({
        ...(change.words && { words: distinctSynonyms(change.words) }),
        ...(change.enable !== undefined && { enable: change.enable }),
        updated_at: sql`now()`,
      })
      .where(eq(id, synonymId))
      .returning();
    await recordAudit(ctx, { action: '更新同义词', target: targetOfGroup(before), before, after });
  });
  return {};
}

export async function deleteSynonyms(ctx: Context, input: { id: number[] }) {
  await changeAndInvalidate(ctx, SYNONYMS_KEY, async (ctx) => {
    const rows = await ctx.db.delete(synonyms).where(inArray(id, input.id)).returning();
    await recordRemoval(
      ctx,
      { action: '删除同义词', kind: '同义词', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.words.join('、'), values: row })),
    );
  });
  return {};
}

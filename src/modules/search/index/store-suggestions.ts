import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { documentStatus } from '#modules/document/document.contract.ts';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { splitKeywords } from '../query/find-related-queries.ts';
import { prefixKeysOf } from '../text/prefix-keys.ts';

type SuggestibleDocument = { id: number; title: string; keywords: string };

/** Stores titles and keywords as suggestions, each with the visibility of its document. */
export async function storeSuggestions(ctx: Context, documents: readonly SuggestibleDocument[]): Promise<void> {
  if (documents.length === 0) return;
  const titles = await Promise.all(
    documents.map(async ({ id, title }) => ({
      id,
      title,
      normalized: normalizeForSearch(title),
      keys: toArrayLiteral(await prefixKeysOf(title)),
    })),
  );
  await ctx.db.execute(sql`
    insert into search_suggestions (document_id, text, normalized, keys, scope, weight)
    select d.id, suggestion.title, suggestion.normalized, suggestion.keys::integer[],
      search_scope(d.deleted_at, d.visibility, d.status),
      search_quality(d.view_count, d.download_count, d.favorite_count, d.score)
    from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb)
      suggestion (id bigint, title text, normalized text, keys text)
    join documents d on d.id = suggestion.id order by d.id
    on conflict (document_id) do update set text = excluded.text, normalized = excluded.normalized,
      keys = excluded.keys, scope = excluded.scope, weight = excluded.weight`);
  await insertMissingKeywordSuggestions(
    ctx,
    documents.flatMap(({ keywords }) => splitKeywords(keywords)),
  );
  await replaceKeywordUses(ctx, documents);
}

async function replaceKeywordUses(ctx: Context, documents: readonly SuggestibleDocument[]): Promise<void> {
  const ids = JSON.stringify(documents.map(({ id }) => id));
  const uses = documents.flatMap(({ id, keywords }) =>
    splitKeywords(keywords).map((word) => ({ id, normalized: normalizeForSearch(word) })),
  );
  await ctx.db.execute(sql`
    delete from search_word_uses where document_id in (
      select value::bigint from jsonb_array_elements_text(${ids}::jsonb))`);
  await ctx.db.execute(sql`
    insert into search_word_uses (normalized, document_id)
    select normalized, id from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
      uses (id bigint, normalized text)
    where normalized <> '' order by normalized, id on conflict do nothing`);
}

async function insertMissingKeywordSuggestions(ctx: Context, keywords: string[]): Promise<void> {
  const words = new Map(keywords.map((word) => [normalizeForSearch(word), word]));
  words.delete('');
  const { rows: existingWords } = await ctx.db.execute<{ normalized: string }>(sql`
    select normalized from search_suggestions where document_id is null and normalized in (
      select value from jsonb_array_elements_text(${JSON.stringify([...words.keys()])}::jsonb))`);
  for (const { normalized } of existingWords) words.delete(normalized);
  if (words.size === 0) return;
  const newWords = await Promise.all(
    [...words].map(async ([normalizedWord, text]) => ({
      normalized: normalizedWord,
      text,
      keys: toArrayLiteral(await prefixKeysOf(text)),
    })),
  );
  // Sorted, so that two transactions that insert the same words cannot deadlock.
  await ctx.db.execute(sql`
    insert into search_suggestions (text, normalized, keys, scope, weight)
    select text, normalized, keys::integer[], 0, 0
    from jsonb_to_recordset(${JSON.stringify(newWords)}::jsonb) word (text text, normalized text, keys text)
    order by normalized on conflict do nothing`);
}

/** Weighs keywords by use and by searches, and deletes those that no document uses. */
export const updateSuggestionWeights = defineJob({
  name: 'update-suggestion-weights',
  input: z.object({}),
  timeoutSeconds: 1_800,
  run: async (ctx: Context) => {
    await ctx.db.execute(sql`
      with uses_by_word as (
        select lower(word) as word, count(*) as times from documents d
        cross join regexp_split_to_table(btrim(d.keywords), '\\s*[,，;；、\\n]\\s*') word
        where d.deleted_at is null and d.visibility = 0
          and d.status = ${documentStatus.converted} and word <> ''
        group by 1),
      searches_by_word as (
        select lower(keywords) as word, count(*) as times from search_records
        where total > 0 group by 1),
      weighted_words as (
        select s.id, ln(1 + coalesce(u.times, 0) + 3 * coalesce(f.times, 0))::real as weight
        from search_suggestions s
        left join uses_by_word u on u.word = lower(s.text) left join searches_by_word f on f.word = s.normalized
        where s.document_id is null),
      deleted_words as (
        delete from search_suggestions s using weighted_words w where s.id = w.id and w.weight = 0
          and not exists (select from search_word_uses uses where uses.normalized = s.normalized)
        returning s.id)
      update search_suggestions s set weight = w.weight from weighted_words w
      where s.id = w.id and s.weight is distinct from w.weight
        and not exists (select from deleted_words where deleted_words.id = w.id)`);
    // Skips locked rows; the next run updates them.
    await ctx.db.execute(sql`
      update search_documents s set quality = change.quality from (
        select s.document_id,
          search_quality(d.view_count, d.download_count, d.favorite_count, d.score) as quality
        from search_documents s join documents d on d.id = s.document_id
        where abs(s.quality
          - search_quality(d.view_count, d.download_count, d.favorite_count, d.score)) > 0.01
        for update of s skip locked) change
      where s.document_id = change.document_id`);
  },
});

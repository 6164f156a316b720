import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { normalizeForSearch, normalizeForSearchWithOffsets } from '#modules/text/normalize-text.ts';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import { MAX_QUERY_LENGTH, type SearchMarks } from '../search.contract.ts';
import { searchHistory } from '../search.table.ts';
import {
  MAX_TEXT_PREFIX_CHARS,
  pinyinOf,
  pinyinPrefixKey,
  singleEditVariants,
  textPrefixKey,
} from '../text/prefix-keys.ts';

type Suggestion = {
  type: 'history' | 'word' | 'title';
  text: string;
  marks: SearchMarks;
  document_id: number;
};
type SuggestionRow = { document_id: string | null; text: string; normalized: string };

const MAX_SUGGESTIONS = 10;
const MAX_PER_TYPE = { history: 3, word: 4, title: 8 };
/** A one-letter prefix has thousands of matches; only the first ones are ranked. */
const MAX_ROWS_READ = 600;
const MAX_HISTORY_READ = 50;
/** Shorter inputs are at edit distance one from too many words. */
const MIN_LENGTH_FOR_VARIANTS = 4;

export async function getSearchSuggestions(ctx: Context, { wd }: { wd: string }) {
  const input = normalizeForSearch(wd.slice(0, MAX_QUERY_LENGTH).toWellFormed()).trim();
  if (input === '') return { suggestion: [] };
  const [historySuggestions, rows] = await Promise.all([suggestFromHistory(ctx, input), findSuggestions(ctx, input)]);
  const words = rows.filter(({ document_id }) => document_id === null);
  const titles = rows.filter(({ document_id }) => document_id !== null);
  const suggestions = [
    ...historySuggestions.slice(0, MAX_PER_TYPE.history),
    ...words.slice(0, MAX_PER_TYPE.word).map((row) => toSuggestion('word', row, input)),
    ...titles.slice(0, MAX_PER_TYPE.title).map((row) => toSuggestion('title', row, input)),
  ];
  const firstByText = new Map(suggestions.toReversed().map((each) => [normalizeForSearch(each.text), each]));
  return {
    suggestion: suggestions
      .filter((each) => firstByText.get(normalizeForSearch(each.text)) === each)
      .slice(0, MAX_SUGGESTIONS),
  };
}

const toSuggestion = (
  type: Suggestion['type'],
  { text, document_id }: Pick<SuggestionRow, 'text' | 'document_id'>,
  input: string,
): Suggestion => ({
  type,
  text,
  marks: findInputMarks(text, input),
  document_id: Number(document_id ?? 0),
});

function findInputMarks(text: string, input: string): SearchMarks {
  const normalizedSuggestion = normalizeForSearchWithOffsets(text);
  const start = normalizedSuggestion.text.indexOf(input);
  if (start < 0) return [];
  return [[normalizedSuggestion.at[start] ?? 0, (normalizedSuggestion.at[start + input.length - 1] ?? 0) + 1]];
}

async function suggestFromHistory(ctx: Context, input: string): Promise<Suggestion[]> {
  if (!ctx.user) return [];
  const rows = await ctx.db
    .select({ text: searchHistory.keywords })
    .from(searchHistory)
    .where(eq(searchHistory.user_id, ctx.user.id))
    .orderBy(desc(searchHistory.searched_at))
    .limit(MAX_HISTORY_READ);
  return rows
    .filter(({ text }) => normalizeForSearch(text).includes(input))
    .map(({ text }) => toSuggestion('history', { text, document_id: null }, input));
}

/**
 * Words first, then titles, by weight. Only words of documents that the caller may see: a scalar subquery looks them up
 * by index, whereas PostgreSQL may evaluate `exists` for all documents.
 */
async function findByKeys(ctx: Context, keys: number[], extra?: SQL): Promise<SuggestionRow[]> {
  const scope = ctx.user ? 1 : 0;
  const { rows } = await ctx.db.execute<SuggestionRow>(sql`
    select document_id, text, normalized
    from search_suggestions_with_keys(${toArrayLiteral(keys)}::integer[], ${scope}::smallint, ${MAX_ROWS_READ}) suggestion
    where ${extra ?? sql`true`} and (document_id is not null or (
      select true from search_word_uses uses join documents d on d.id = uses.document_id
      where uses.normalized = suggestion.normalized
        and search_scope(d.deleted_at, d.visibility, d.status) <= ${scope}::smallint
      limit 1))
    order by document_id is not null, weight desc, char_length(text), document_id desc
    limit ${4 * MAX_SUGGESTIONS}`);
  return rows;
}

/** Matches text and pinyin prefixes; if there are few, also homophones and single-edit variants. */
async function findSuggestions(ctx: Context, input: string): Promise<SuggestionRow[]> {
  const letters = /^[a-z' ]+$/.test(input) ? input.replace(/[^a-z]/g, '') : '';
  const textMatches = await findByKeys(
    ctx,
    [textPrefixKey(input)],
    input.length > MAX_TEXT_PREFIX_CHARS ? sql`position(${input} in normalized) > 0` : undefined,
  );
  const pinyinMatches = letters ? await findByKeys(ctx, [pinyinPrefixKey(letters)]) : [];
  const matches = [...textMatches, ...pinyinMatches];
  if (matches.length >= MAX_SUGGESTIONS) return matches;
  return [...matches, ...(await findSimilarSuggestions(ctx, input, letters))];
}

async function findSimilarSuggestions(ctx: Context, input: string, letters: string): Promise<SuggestionRow[]> {
  if (letters.length >= MIN_LENGTH_FOR_VARIANTS)
    return findByKeys(ctx, singleEditVariants(letters).map(pinyinPrefixKey));
  if (letters !== '' || input.length < 2) return [];
  const pinyin = await pinyinOf(input);
  return /^[a-z]{3,}$/.test(pinyin) ? findByKeys(ctx, [pinyinPrefixKey(pinyin)]) : [];
}

import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { normalizedText, normalizeText } from '#modules/text/normalize.ts';
import type { Context } from '#platform/server/context.ts';
import { arrayText } from '#platform/server/db/db.ts';
import { MAX_QUERY_LENGTH, type SearchMarks } from '../search.contract.ts';
import { searchHistory } from '../search.table.ts';
import { MAX_TEXT_PREFIX, pinyinKey, pinyinOf, singleEditVariants, textKey } from '../text/prefix-keys.ts';

type Suggestion = {
  type: 'history' | 'word' | 'title';
  text: string;
  marks: SearchMarks;
  document_id: number;
};
type Offered = { document_id: string | null; text: string; folded: string };

const SHOWN = 10;
const MOST = { history: 3, word: 4, title: 8 };
/** So many are looked at: of one letter there are thousands. */
const LOOKED_AT = 600;
const REMEMBERED = 50;
/** Shorter words are one slip away from everything. */
const LEAST_FOR_SLIPS = 4;

/** What somebody may be about to type. */
export async function suggest(ctx: Context, { wd }: { wd: string }) {
  const input = normalizedText(wd.slice(0, MAX_QUERY_LENGTH).toWellFormed()).trim();
  if (input === '') return { suggestion: [] };
  const [own, offered] = await Promise.all([fromHistory(ctx, input), fromAll(ctx, input)]);
  const words = offered.filter(({ document_id }) => document_id === null);
  const titles = offered.filter(({ document_id }) => document_id !== null);
  const all = [
    ...own.slice(0, MOST.history),
    ...words.slice(0, MOST.word).map((row) => shown('word', row, input)),
    ...titles.slice(0, MOST.title).map((row) => shown('title', row, input)),
  ];
  const once = new Map(all.toReversed().map((each) => [normalizedText(each.text), each]));
  return {
    suggestion: all.filter((each) => once.get(normalizedText(each.text)) === each).slice(0, SHOWN),
  };
}

const shown = (
  type: Suggestion['type'],
  { text, document_id }: Pick<Offered, 'text' | 'document_id'>,
  input: string,
): Suggestion => ({
  type,
  text,
  marks: marksOf(text, input),
  document_id: Number(document_id ?? 0),
});

function marksOf(text: string, input: string): SearchMarks {
  const folded = normalizeText(text);
  const start = folded.text.indexOf(input);
  if (start < 0) return [];
  return [[folded.at[start] ?? 0, (folded.at[start + input.length - 1] ?? 0) + 1]];
}

async function fromHistory(ctx: Context, input: string): Promise<Suggestion[]> {
  if (!ctx.user) return [];
  const rows = await ctx.db
    .select({ text: searchHistory.keywords })
    .from(searchHistory)
    .where(eq(searchHistory.user_id, ctx.user.id))
    .orderBy(desc(searchHistory.searched_at))
    .limit(REMEMBERED);
  return rows
    .filter(({ text }) => normalizedText(text).includes(input))
    .map(({ text }) => shown('history', { text, document_id: null }, input));
}

/** Words first, then titles; the ones that matter most first. Words of documents that the caller may see. */
async function lookUp(ctx: Context, keys: number[], extra?: SQL): Promise<Offered[]> {
  const scope = ctx.user ? 1 : 0;
  const { rows } = await ctx.db.execute<Offered>(sql`
    select document_id, text, folded
    from search_offered(${arrayText(keys)}::integer[], ${scope}::smallint, ${LOOKED_AT}) offered
    where ${extra ?? sql`true`} and (document_id is not null or exists (
      select from search_word_uses uses join documents d on d.id = uses.document_id
      where uses.folded = offered.folded
        and search_scope(d.deleted_at, d.visibility, d.status) <= ${scope}::smallint))
    order by document_id is not null, weight desc, char_length(text), document_id desc
    limit ${4 * SHOWN}`);
  return rows;
}

/** As written or spoken; where that finds little, what sounds the same or is one slip away. */
async function fromAll(ctx: Context, input: string): Promise<Offered[]> {
  const letters = /^[a-z' ]+$/.test(input) ? input.replace(/[^a-z]/g, '') : '';
  const written = await lookUp(
    ctx,
    [textKey(input)],
    input.length > MAX_TEXT_PREFIX ? sql`position(${input} in folded) > 0` : undefined,
  );
  const spoken = letters ? await lookUp(ctx, [pinyinKey(letters)]) : [];
  const found = [...written, ...spoken];
  if (found.length >= SHOWN) return found;
  return [...found, ...(await almost(ctx, input, letters))];
}

async function almost(ctx: Context, input: string, letters: string): Promise<Offered[]> {
  if (letters.length >= LEAST_FOR_SLIPS) return lookUp(ctx, singleEditVariants(letters).map(pinyinKey));
  if (letters !== '' || input.length < 2) return [];
  const sound = await pinyinOf(input);
  return /^[a-z]{3,}$/.test(sound) ? lookUp(ctx, [pinyinKey(sound)]) : [];
}

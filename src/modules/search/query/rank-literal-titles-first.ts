import type { Jieba } from '@node-rs/jieba';
import { sql } from 'drizzle-orm';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import { CJK_LETTER, characterKind } from '#modules/text/split-text-runs.ts';
import type { Context } from '#platform/server/context.ts';
import { toArrayLiteral } from '#platform/server/db/db.ts';
import type { Candidate } from '../search-engine.ts';
import { isWholeWord } from '../text/is-whole-word.ts';
import type { Query } from './parse-query.ts';

/** Number of top candidates whose titles are compared with the query. */
export const MAX_RANKED_TITLES = 200;

/** Ranks titles that contain the query literally above those that only contain its words. */
export async function rankLiteralTitlesFirst(ctx: Context, { text }: Query, best: Candidate[]): Promise<Candidate[]> {
  const topCandidates = best.slice(0, MAX_RANKED_TITLES);
  if (topCandidates.length === 0) return [];
  const { rows } = await ctx.db.execute<{ id: string; title: string }>(sql`
    select document_id as id, title from search_documents
    where document_id = any(${toArrayLiteral(topCandidates.map(({ id }) => id))}::bigint[])
      and position(${text} in title) > 0`);
  const jieba = await loadWordSegmenter();
  const titles = new Map(
    rows.filter(({ title }) => hasWholeWord(title, text, jieba)).map(({ id, title }) => [Number(id), title]),
  );
  const bonus = (id: number): number => {
    const title = titles.get(id);
    if (title === undefined) return 0;
    if (title === text) return 1.2;
    return 0.5 + (0.4 * text.length) / title.length + (title.startsWith(text) ? 0.1 : 0);
  };
  return best
    .map(({ id, score }) => ({ id, score: score + bonus(id) }))
    .sort((a, b) => b.score - a.score || b.id - a.id);
}

/** Two characters may be adjacent by chance, like 和服 in 化妆和服装; longer texts hardly are. */
function hasWholeWord(title: string, text: string, jieba: Jieba): boolean {
  if (text.length > 2 || characterKind(text.charCodeAt(0)) !== CJK_LETTER) return true;
  for (let at = title.indexOf(text); at >= 0; at = title.indexOf(text, at + 1))
    if (isWholeWord(jieba, title, at, at + text.length)) return true;
  return false;
}

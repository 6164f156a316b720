import type { FoundDocument } from '#modules/document/document.ts';
import { segmenter } from '#modules/document/segmenter.ts';
import type { Context } from '#platform/server/context.ts';
import { readDocuments } from './document-texts.ts';
import { findWords } from './find-words.ts';
import { foldedText } from './fold.ts';
import type { Query } from './parse-query.ts';
import type { Candidate } from './search-engine.ts';
import { type WeighedText, weighText } from './weigh-text.ts';

export type RankedText = {
  row: FoundDocument;
  score: number;
  text: string;
  weighed: WeighedText;
};

const TEXT_WORTH = 0.8;
/** A word that is in none of its places was a chance likeness of keys or of pairs. */
const ABSENT_COST = 0.5;

/**
 * Looks at the texts of some candidates: where the words stand together counts. Those without a
 * phrase that was asked for are left out, and those the caller may not see.
 */
export async function rankTexts(
  ctx: Context,
  query: Query,
  candidates: readonly Candidate[],
  { isOrdered }: { isOrdered: boolean },
): Promise<RankedText[]> {
  const jieba = await segmenter();
  const rows = await readDocuments(
    ctx,
    candidates.map(({ id }) => id),
  );
  const byId = new Map(rows.map((each) => [each.row.id, each]));
  const ranked = candidates.flatMap(({ id, score }) => {
    const found = byId.get(id);
    if (!found) return [];
    const { row, text } = found;
    const weighed = weighText(text, query, jieba);
    const about = foldedText([row.title, row.keywords, row.description].join('\n'));
    const present = new Set([
      ...weighed.words,
      ...findWords(about, query.words).map(({ word }) => word),
    ]);
    const isLacking = query.words.some(({ isPhrase }, at) => isPhrase && !present.has(at));
    if (isLacking) return [];
    const absent = query.words.reduce(
      (sum, { weight }, at) => sum + (present.has(at) ? 0 : weight),
      0,
    );
    const whole = score + TEXT_WORTH * weighed.score - ABSENT_COST * absent;
    return [{ row, score: whole, text, weighed }];
  });
  if (isOrdered) return ranked;
  return ranked.sort((one, other) => other.score - one.score || other.row.id - one.row.id);
}

import { setImmediate as breathe } from 'node:timers/promises';
import type { Jieba } from '@node-rs/jieba';
import type { FoundDocument } from '#modules/document/document.ts';
import { segmenter } from '#modules/document/segmenter.ts';
import type { Context } from '#platform/server/context.ts';
import { readDocuments, textOf } from './document-texts.ts';
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
const LONG = 200_000;

/** Read at once: on one disk more of them are not faster. */
const TOGETHER = 4;
/** So many characters of text are held for one search; of what is left only the words are known. */
const MAX_CHARACTERS = 16_000_000;

const unread: WeighedText = { score: 0, pages: [], words: new Set() };

/**
 * Looks at the texts of some candidates: where the words stand together counts. Those without a
 * phrase that was asked for, or with one that is unwanted, are left out, and those the caller may
 * not see.
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
  const ranked: RankedText[] = [];
  let characters = 0;
  for (let from = 0; from < candidates.length; from += TOGETHER) {
    const visible = candidates.slice(from, from + TOGETHER).flatMap(({ id, score }) => {
      const row = rows.get(id);
      return row ? [{ row, score }] : [];
    });
    if (characters > MAX_CHARACTERS) {
      ranked.push(...visible.map((each) => ({ ...each, text: '', weighed: unread })));
      continue;
    }
    const texts = await Promise.all(visible.map(({ row }) => textOf(ctx, row)));
    for (const [at, { row, score }] of visible.entries()) {
      const text = texts[at] ?? '';
      characters += text.length;
      const answer = answerOf(query, row, text, jieba);
      if (answer) ranked.push({ row, text, ...answer, score: score + answer.score });
      // Long texts take their time; others are served meanwhile.
      if (text.length > LONG) await breathe();
    }
  }
  if (isOrdered) return ranked;
  return ranked.sort((one, other) => other.score - one.score || other.row.id - one.row.id);
}

/** How well a document answers, or null where it does not. */
function answerOf(query: Query, row: FoundDocument, text: string, jieba: Jieba) {
  const weighed = weighText(text, query, jieba);
  const about = foldedText([row.title, row.keywords, row.description].join('\n'));
  const present = new Set([
    ...weighed.words,
    ...findWords(about, query.words).map(({ word }) => word),
  ]);
  const isLacking = query.words.some(({ isPhrase }, at) => isPhrase && !present.has(at));
  if (isLacking) return null;
  const phrases = query.unwanted.filter(({ isPhrase }) => isPhrase);
  const has = (folded: string) => findWords(folded, phrases).length > 0;
  if (phrases.length > 0 && (has(about) || has(foldedText(text)))) return null;
  const absent = query.words.reduce(
    (sum, { weight }, at) => sum + (present.has(at) ? 0 : weight),
    0,
  );
  return { weighed, score: TEXT_WORTH * weighed.score - ABSENT_COST * absent };
}

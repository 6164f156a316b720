import { setImmediate as breathe } from 'node:timers/promises';
import type { Jieba } from '@node-rs/jieba';
import type { SelectedDocument } from '#modules/document/document.ts';
import { createPrefilter, normalizedText } from '#modules/text/normalize.ts';
import { segmenter } from '#modules/text/segmenter.ts';
import type { Context } from '#platform/server/context.ts';
import { readDocuments, textOf } from '../index/document-texts.ts';
import type { Candidate } from '../search-engine.ts';
import { findMatches, needlesOf } from './find-matches.ts';
import { hasPhrase, type Query } from './parse-query.ts';
import { type ScoredText, scoreText } from './score-text.ts';

export type RankedText = {
  row: SelectedDocument;
  score: number;
  text: string;
  weighed: ScoredText;
};

const TEXT_WORTH = 0.8;
/** A word that is in none of its places was a chance likeness of keys or of pairs. */
const ABSENT_COST = 0.5;
const LONG = 200_000;

/** Texts of so many documents are read at once, as long as they have no more pages than this. */
const TOGETHER = 16;
const PAGES_TOGETHER = 500;
/** So many characters of text are read for one search. */
const MAX_CHARACTERS = 16_000_000;

/** How many may still be read. */
export type ReadBudget = { characters: number };
export const newReadBudget = (): ReadBudget => ({ characters: MAX_CHARACTERS });

const unread: ScoredText = { score: 0, pages: [], words: new Set() };

/**
 * Looks at the texts of some candidates: where the words stand together counts. Those without a
 * phrase that was asked for, or with one that is unwanted, are left out, and those the caller may
 * not see. Of what there is no more room for only the words are known, and of a phrase nothing.
 */
export async function rankTexts(
  ctx: Context,
  query: Query,
  candidates: readonly Candidate[],
  { isOrdered, room }: { isOrdered: boolean; room: ReadBudget },
): Promise<RankedText[]> {
  const look = { jieba: await segmenter(), ...patternsOf(query) };
  const rows = await readDocuments(
    ctx,
    candidates.map(({ id }) => id),
  );
  const ranked: RankedText[] = [];
  const visible = candidates.flatMap(({ id, score }) => {
    const row = rows.get(id);
    return row ? [{ row, score }] : [];
  });
  for (const batch of batchesOf(visible)) {
    if (room.characters <= 0) {
      if (hasPhrase(query)) break;
      ranked.push(...batch.map((each) => ({ ...each, text: '', weighed: unread })));
      continue;
    }
    const texts = await Promise.all(batch.map(({ row }) => textOf(ctx, row)));
    for (const [at, { row, score }] of batch.entries()) {
      const text = texts[at] ?? '';
      room.characters -= text.length;
      const answer = answerOf(query, row, text, look);
      if (answer) ranked.push({ row, text, ...answer, score: score + answer.score });
      // Long texts take their time; others are served meanwhile.
      if (text.length > LONG) await breathe();
    }
  }
  if (isOrdered) return ranked;
  return ranked.sort((one, other) => other.score - one.score || other.row.id - one.row.id);
}

function batchesOf<T extends { row: SelectedDocument }>(all: readonly T[]): T[][] {
  const batches: T[][] = [];
  let pages = 0;
  for (const each of all) {
    const last = batches.at(-1);
    pages += each.row.pages;
    if (last && last.length < TOGETHER && pages <= PAGES_TOGETHER) last.push(each);
    else {
      batches.push([each]);
      pages = each.row.pages;
    }
  }
  return batches;
}

type Look = { jieba: Jieba; wanted: RegExp | null; unwanted: RegExp | null };

const patternsOf = ({ words, unwanted }: Query) => ({
  wanted: createPrefilter(needlesOf(words)),
  unwanted: createPrefilter(needlesOf(unwanted.filter(({ isPhrase }) => isPhrase))),
});

/** How well a document answers, or null where it does not. */
function answerOf(query: Query, row: SelectedDocument, text: string, look: Look) {
  const weighed = scoreText(text, query, look.wanted, look.jieba);
  const about = normalizedText([row.title, row.keywords, row.description].join('\n'));
  const present = new Set([...weighed.words, ...findMatches(about, query.words).map(({ word }) => word)]);
  const isLacking = query.words.some(({ isPhrase }, at) => isPhrase && !present.has(at));
  if (isLacking) return null;
  const phrases = query.unwanted.filter(({ isPhrase }) => isPhrase);
  const has = (folded: string) => findMatches(folded, phrases).length > 0;
  if (look.unwanted && (has(about) || (look.unwanted.test(text) && has(normalizedText(text))))) return null;
  const absent = query.words.reduce((sum, { weight }, at) => sum + (present.has(at) ? 0 : weight), 0);
  return { weighed, score: TEXT_WORTH * weighed.score - ABSENT_COST * absent };
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Jieba } from '@node-rs/jieba';
import type { SelectedDocument } from '#modules/document/select-documents.ts';
import { createPrefilter, normalizeForSearch } from '#modules/text/normalize-text.ts';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import type { Context } from '#platform/server/context.ts';
import { readDocumentText, readVisibleDocuments } from '../index/read-document-text.ts';
import type { Candidate } from '../search-engine.ts';
import { collectSearchNeedles, findQueryWordMatches } from './find-query-word-matches.ts';
import { hasPhrase, type Query } from './parse-query.ts';
import { type ScoredText, scoreText } from './score-text.ts';

export type RankedText = {
  row: SelectedDocument;
  score: number;
  text: string;
  scoredText: ScoredText;
};

const TEXT_WEIGHT = 0.8;
/** The index matched such a word only by a key collision or by scattered character pairs. */
const MISSING_WORD_PENALTY = 0.5;
const LONG_TEXT_CHARS = 200_000;

/** Limits of one batch of texts that are read in parallel. */
const MAX_BATCH_DOCUMENTS = 16;
const MAX_BATCH_PAGES = 500;
const MAX_TEXT_CHARS = 16_000_000;

/** The remaining characters; shared by all batches of a search. */
export type ReadBudget = { characters: number };
export const newReadBudget = (): ReadBudget => ({ characters: MAX_TEXT_CHARS });

const unreadText: ScoredText = { score: 0, pages: [], words: new Set() };

/**
 * Scores candidates by their full text, where word proximity counts. Drops documents without a required phrase, with an
 * excluded phrase, or hidden from the caller. Once the budget is spent, remaining candidates keep the engine's score,
 * and phrase searches stop.
 */
export async function rankByFullText(
  ctx: Context,
  query: Query,
  candidates: readonly Candidate[],
  { isOrdered, budget }: { isOrdered: boolean; budget: ReadBudget },
): Promise<RankedText[]> {
  const matcher = { jieba: await loadWordSegmenter(), ...buildTextPrefilters(query) };
  const rows = await readVisibleDocuments(
    ctx,
    candidates.map(({ id }) => id),
  );
  const rankedTexts: RankedText[] = [];
  const visibleCandidates = candidates.flatMap(({ id, score }) => {
    const row = rows.get(id);
    return row ? [{ row, score }] : [];
  });
  for (const batch of batchesOf(visibleCandidates)) {
    if (budget.characters <= 0) {
      if (hasPhrase(query)) break;
      rankedTexts.push(...batch.map((each) => ({ ...each, text: '', scoredText: unreadText })));
      continue;
    }
    const texts = await Promise.all(batch.map(({ row }) => readDocumentText(ctx, row)));
    for (const [at, { row, score }] of batch.entries()) {
      const text = texts[at] ?? '';
      budget.characters -= text.length;
      const match = scoreMatchingText(query, row, text, matcher);
      if (match) rankedTexts.push({ row, text, ...match, score: score + match.score });
      // Scoring a long text takes long; let other requests run.
      if (text.length > LONG_TEXT_CHARS) await yieldToEventLoop();
    }
  }
  if (isOrdered) return rankedTexts;
  return rankedTexts.sort((a, b) => b.score - a.score || b.row.id - a.row.id);
}

function batchesOf<T extends { row: SelectedDocument }>(candidates: readonly T[]): T[][] {
  const batches: T[][] = [];
  let pages = 0;
  for (const each of candidates) {
    const last = batches.at(-1);
    pages += each.row.pages;
    if (last && last.length < MAX_BATCH_DOCUMENTS && pages <= MAX_BATCH_PAGES) last.push(each);
    else {
      batches.push([each]);
      pages = each.row.pages;
    }
  }
  return batches;
}

type Matcher = { jieba: Jieba; requiredPattern: RegExp | null; excludedPattern: RegExp | null };

const buildTextPrefilters = ({ words, excludedWords }: Query) => ({
  requiredPattern: createPrefilter(collectSearchNeedles(words)),
  excludedPattern: createPrefilter(collectSearchNeedles(excludedWords.filter(({ isPhrase }) => isPhrase))),
});

/** Null if the document does not match. */
function scoreMatchingText(query: Query, row: SelectedDocument, text: string, matcher: Matcher) {
  const scoredText = scoreText(text, query, matcher.requiredPattern, matcher.jieba);
  const metadata = normalizeForSearch([row.title, row.keywords, row.description].join('\n'));
  const presentWords = new Set([
    ...scoredText.words,
    ...findQueryWordMatches(metadata, query.words).map(({ word }) => word),
  ]);
  const lacksPhrase = query.words.some(({ isPhrase }, at) => isPhrase && !presentWords.has(at));
  if (lacksPhrase) return null;
  const phrases = query.excludedWords.filter(({ isPhrase }) => isPhrase);
  const hasExcludedPhrase = (normalizedBody: string) => findQueryWordMatches(normalizedBody, phrases).length > 0;
  if (
    matcher.excludedPattern &&
    (hasExcludedPhrase(metadata) || (matcher.excludedPattern.test(text) && hasExcludedPhrase(normalizeForSearch(text))))
  )
    return null;
  const missingWeight = query.words.reduce((sum, { weight }, at) => sum + (presentWords.has(at) ? 0 : weight), 0);
  return { scoredText, score: TEXT_WEIGHT * scoredText.score - MISSING_WORD_PENALTY * missingWeight };
}

import type { Jieba } from '@node-rs/jieba';
import { normalizeForSearchWithOffsets } from '#modules/text/normalize-text.ts';
import { CJK_LETTER, characterKind } from '#modules/text/split-text-runs.ts';
import { isWholeWord } from '../text/is-whole-word.ts';
import { findQueryWordMatches, type TextMatch } from './find-query-word-matches.ts';
import type { Query } from './parse-query.ts';

/** Words within this distance count as close together. */
const PROXIMITY_CHARS = 60;

export type ScoredPage = {
  /** From 1. */
  page: number;
  score: number;
  count: number;
  /** The closest group of words, in the normalized page. */
  best: { start: number; end: number };
};
export type ScoredText = {
  /** About 0 to 1.5. */
  score: number;
  pages: ScoredPage[];
  /** Indexes of the query words that occur in the text. */
  words: Set<number>;
};

/** `pattern` matches pages that contain any of the words. */
export function scoreText(text: string, query: Query, pattern: RegExp | null, jieba: Jieba): ScoredText {
  const pages: ScoredPage[] = [];
  const words = new Set<number>();
  let best = { score: 0, normalizedBody: '', hits: [] as TextMatch[] };
  for (const [at, body] of text.split('\f').entries()) {
    if (!pattern?.test(body)) continue;
    const { text: normalizedBody } = normalizeForSearchWithOffsets(body);
    const hits = findQueryWordMatches(normalizedBody, query.words);
    if (hits.length === 0) continue;
    for (const { word } of hits) words.add(word);
    const page = { page: at + 1, ...scorePage(normalizedBody, hits, query) };
    pages.push(page);
    if (page.score > best.score) best = { score: page.score, normalizedBody, hits };
  }
  if (pages.length === 0) return { score: 0, pages, words };
  const spread = Math.min(1, Math.log1p(pages.length) / 5);
  const wholeWords = wholeWordShare(best.normalizedBody, best.hits, query, jieba);
  return { score: best.score + 0.2 * wholeWords + 0.1 * spread, pages, words };
}

function scorePage(normalizedBody: string, hits: TextMatch[], query: Query) {
  const weightOf = (word: number) => query.words[word]?.weight ?? 0;
  const occurringWords = new Set(hits.map(({ word }) => word));
  const totalWeight = [...occurringWords].reduce((sum, word) => sum + weightOf(word), 0);
  const closestGroup = findClosestGroup(hits, weightOf);
  const exact = query.words.length > 1 ? normalizedBody.indexOf(query.text) : -1;
  const best = exact >= 0 ? { start: exact, end: exact + query.text.length } : closestGroup;
  const score =
    0.45 * closestGroup.weight +
    0.3 * totalWeight +
    (exact >= 0 ? 0.4 : 0) +
    0.15 * (closestGroup.weight > 0.99 ? 1 / (1 + (closestGroup.end - closestGroup.start) / PROXIMITY_CHARS) : 0) +
    0.15 * Math.min(1, Math.log2(1 + hits.length / occurringWords.size) / 5);
  return { score, count: hits.length, best };
}

/** The shortest range that contains the most word weight. */
function findClosestGroup(hits: TextMatch[], weightOf: (word: number) => number) {
  const counts = new Map<number, number>();
  let [first, weight] = [0, 0];
  let best = { start: hits[0]?.start ?? 0, end: hits[0]?.end ?? 0, weight: 0 };
  for (const { word, end } of hits) {
    const previousCount = counts.get(word) ?? 0;
    counts.set(word, previousCount + 1);
    if (previousCount === 0) weight += weightOf(word);
    for (let head = hits[first]; head; head = hits[first]) {
      const isRepeated = (counts.get(head.word) ?? 0) > 1;
      if (end - head.start <= PROXIMITY_CHARS && !isRepeated) break;
      if (head.end >= end) break;
      counts.set(head.word, (counts.get(head.word) ?? 1) - 1);
      if (!isRepeated) weight -= weightOf(head.word);
      first += 1;
    }
    const start = hits[first]?.start ?? 0;
    const isShorter = weight > best.weight - 1e-9 && end - start < best.end - best.start;
    if (weight > best.weight + 1e-9 || isShorter) best = { start, end, weight };
  }
  return best;
}

const MAX_CHECKED_MATCHES = 5;

/**
 * Share of the first matches that are whole words, not the end of one word and the beginning of the next: 市长 (mayor) is
 * not a word of 南京市长江大桥.
 */
function wholeWordShare(normalizedBody: string, hits: TextMatch[], query: Query, jieba: Jieba): number {
  const checkedMatches = hits.slice(0, MAX_CHECKED_MATCHES);
  const wholeWords = checkedMatches.filter(({ word, start, end }) => {
    const isShort = end - start <= 2 && characterKind(normalizedBody.charCodeAt(start)) === CJK_LETTER;
    if (!isShort || query.words[word]?.isPhrase) return true;
    return isWholeWord(jieba, normalizedBody, start, end);
  });
  return wholeWords.length / checkedMatches.length;
}

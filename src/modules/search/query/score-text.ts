import type { Jieba } from '@node-rs/jieba';
import { characterKind, WIDE } from '#modules/text/characters.ts';
import { normalizeText } from '#modules/text/normalize.ts';
import { isWholeWord } from '../text/is-whole-word.ts';
import { findMatches, type TextMatch } from './find-matches.ts';
import type { Query } from './parse-query.ts';

/** Words so near each other belong together. */
const NEAR = 60;

export type ScoredPage = {
  /** From 1. */
  page: number;
  score: number;
  count: number;
  /** Where the words stand closest, in the folded page. */
  best: { start: number; end: number };
};
export type ScoredText = {
  /** About 0 to 1.5. */
  score: number;
  pages: ScoredPage[];
  /** Numbers of the words that stand somewhere in it. */
  words: Set<number>;
};

/** How well the pages of a text answer a query. `pattern`: of all its words. */
export function scoreText(text: string, query: Query, pattern: RegExp | null, jieba: Jieba): ScoredText {
  const pages: ScoredPage[] = [];
  const words = new Set<number>();
  let best = { score: 0, folded: '', hits: [] as TextMatch[] };
  for (const [at, body] of text.split('\f').entries()) {
    if (!pattern?.test(body)) continue;
    const { text: folded } = normalizeText(body);
    const hits = findMatches(folded, query.words);
    if (hits.length === 0) continue;
    for (const { word } of hits) words.add(word);
    const page = { page: at + 1, ...weighPage(folded, hits, query) };
    pages.push(page);
    if (page.score > best.score) best = { score: page.score, folded, hits };
  }
  if (pages.length === 0) return { score: 0, pages, words };
  const spread = Math.min(1, Math.log1p(pages.length) / 5);
  const whole = wholeShare(best.folded, best.hits, query, jieba);
  return { score: best.score + 0.2 * whole + 0.1 * spread, pages, words };
}

function weighPage(folded: string, hits: TextMatch[], query: Query) {
  const weightOf = (word: number) => query.words[word]?.weight ?? 0;
  const seen = new Set(hits.map(({ word }) => word));
  const all = [...seen].reduce((sum, word) => sum + weightOf(word), 0);
  const near = closest(hits, weightOf);
  const exact = query.words.length > 1 ? folded.indexOf(query.text) : -1;
  const best = exact >= 0 ? { start: exact, end: exact + query.text.length } : near;
  const score =
    0.45 * near.weight +
    0.3 * all +
    (exact >= 0 ? 0.4 : 0) +
    0.15 * (near.weight > 0.99 ? 1 / (1 + (near.end - near.start) / NEAR) : 0) +
    0.15 * Math.min(1, Math.log2(1 + hits.length / seen.size) / 5);
  return { score, count: hits.length, best };
}

/** The stretch with the most of the words. */
function closest(hits: TextMatch[], weightOf: (word: number) => number) {
  const counts = new Map<number, number>();
  let [first, weight] = [0, 0];
  let best = { start: hits[0]?.start ?? 0, end: hits[0]?.end ?? 0, weight: 0 };
  for (const { word, end } of hits) {
    const known = counts.get(word) ?? 0;
    counts.set(word, known + 1);
    if (known === 0) weight += weightOf(word);
    for (let head = hits[first]; head; head = hits[first]) {
      const many = (counts.get(head.word) ?? 0) > 1;
      if (end - head.start <= NEAR && !many) break;
      if (head.end >= end) break;
      counts.set(head.word, (counts.get(head.word) ?? 1) - 1);
      if (!many) weight -= weightOf(head.word);
      first += 1;
    }
    const start = hits[first]?.start ?? 0;
    const isShorter = weight > best.weight - 1e-9 && end - start < best.end - best.start;
    if (weight > best.weight + 1e-9 || isShorter) best = { start, end, weight };
  }
  return best;
}

const LOOKED_AT = 5;

/**
 * How many of the first places are words, not the end of one word and the beginning of the next:
 * the mayor (市长) is not meant by 南京市长江大桥.
 */
function wholeShare(folded: string, hits: TextMatch[], query: Query, jieba: Jieba): number {
  const looked = hits.slice(0, LOOKED_AT);
  const whole = looked.filter(({ word, start, end }) => {
    const isShort = end - start <= 2 && characterKind(folded.charCodeAt(start)) === WIDE;
    if (!isShort || query.words[word]?.isPhrase) return true;
    return isWholeWord(jieba, folded, start, end);
  });
  return whole.length / looked.length;
}

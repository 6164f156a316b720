import type { Jieba } from '@node-rs/jieba';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import { CJK_LETTER, characterKind, hasLetter, splitTextRuns } from '#modules/text/split-text-runs.ts';
import { MAX_QUERY_LENGTH } from '../search.contract.ts';
import { isStopWord } from '../text/stop-words.ts';
import { phraseLookupKeys, type TermPart, wordLookupKeys } from '../text/term-keys.ts';
import type { SynonymMap } from './synonyms.ts';

export type QueryWord = {
  text: string;
  /** The word itself first, then its synonyms, each with its lookup terms. */
  forms: { text: string; pieces: TermPart[] }[];
  /** Share of the relevance; the weights of a query add up to 1. */
  weight: number;
  /** In quotes: must occur literally. */
  isPhrase: boolean;
};
export type Query = {
  /** All required words as one normalized text. */
  text: string;
  /** Required words. */
  words: QueryWord[];
  excludedWords: QueryWord[];
};

/** Phrases can only be checked in the full text, because the index does not store positions. */
export const hasPhrase = ({ words, excludedWords }: Query): boolean =>
  [...words, ...excludedWords].some(({ isPhrase }) => isPhrase);

const MAX_QUERY_WORDS = 12;
const TOKEN = /([-－]?)(?:["“”「『＂]([^"“”「」『』＂]*)["“”」』＂]?|([^\s"“”「」『』＂]+))/g;

/** Accepts any input: it becomes words, never an error. */
export async function parseQuery(input: string, synonyms: SynonymMap): Promise<Query> {
  const jieba = await loadWordSegmenter();
  const query = input.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  const requiredWords: QueryWord[] = [];
  const excludedWords: QueryWord[] = [];
  const requiredTexts: string[] = [];
  const wordOf = (text: string, isPhrase: boolean): QueryWord => {
    const texts = isPhrase ? [text] : [text, ...(synonyms.get(text) ?? [])];
    const forms = texts.map((each) => ({
      text: each,
      pieces: isPhrase ? phraseLookupKeys(each) : wordLookupKeys(each, jieba),
    }));
    return { text, forms: forms.filter(({ pieces }) => pieces.length > 0), weight: 0, isPhrase };
  };
  for (const [, minus, phrase, unquotedTerm = ''] of query.matchAll(TOKEN)) {
    const normalizedTerm = normalizeForSearch(phrase ?? unquotedTerm);
    if (!hasLetter(normalizedTerm)) continue;
    const isPhrase = phrase !== undefined;
    if (minus) excludedWords.push(wordOf(normalizedTerm, isPhrase));
    else {
      requiredTexts.push(normalizedTerm);
      // A synonym is one word even if the dictionary would split it.
      const words = isPhrase || synonyms.has(normalizedTerm) ? [normalizedTerm] : splitWords(normalizedTerm, jieba);
      for (const word of words) requiredWords.push(wordOf(word, isPhrase));
    }
  }
  return {
    text: normalizeForSearch(requiredTexts.join(' ')),
    words: assignWordWeights(distinctWords(requiredWords)),
    excludedWords: distinctWords(excludedWords).slice(0, MAX_QUERY_WORDS),
  };
}

const distinctWords = (words: QueryWord[]): QueryWord[] => [
  ...new Map(words.map((word) => [`${word.isPhrase} ${word.text}`, word])).values(),
];

/** Drops stop words if others remain. Longer words weigh more. */
function assignWordWeights(words: QueryWord[]): QueryWord[] {
  const significantWords = words.filter(({ text, isPhrase }) => isPhrase || !isStopWord(text));
  const usedWords = (significantWords.length > 0 ? significantWords : words).slice(0, MAX_QUERY_WORDS);
  const sizes = usedWords.map(({ text }) =>
    characterKind(text.charCodeAt(0)) === CJK_LETTER ? [0, 0.5, 1, 1.4, 1.7][Math.min(text.length, 4)] : 1.2,
  );
  const totalSize = sizes.reduce<number>((sum, size) => sum + (size ?? 1), 0);
  return usedWords.map((word, at) => ({ ...word, weight: (sizes[at] ?? 1) / totalSize }));
}

const MIN_COMPOUND_LENGTH = 4;

/** Splits unquoted text. Single characters count only if there are no longer words. */
function splitWords(normalizedTerm: string, jieba: Jieba): string[] {
  return [...splitTextRuns(normalizedTerm)].flatMap(({ kind, start, end }) => {
    const run = normalizedTerm.slice(start, end);
    if (kind !== CJK_LETTER) return [run];
    const words = jieba.cut(run, true);
    const multiCharacterWords = words.filter((word) => word.length > 1);
    if (multiCharacterWords.length === 0) return [run];
    return multiCharacterWords.flatMap((word) => {
      if (word.length < MIN_COMPOUND_LENGTH) return [word];
      const dictionaryParts = jieba.cutForSearch(word, false).filter((part) => part.length < word.length);
      return splitCompoundWord(word, dictionaryParts);
    });
  });
}

/** 数据库系统 → 数据库 系统, so that texts with other words in between match as well. */
function splitCompoundWord(word: string, dictionaryParts: string[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; ) {
    const next = [3, 2].map((size) => word.slice(at, at + size)).find((part) => dictionaryParts.includes(part));
    if (!next) return [word];
    parts.push(next);
    at += next.length;
  }
  return parts;
}

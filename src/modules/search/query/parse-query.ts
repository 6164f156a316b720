import type { Jieba } from '@node-rs/jieba';
import { characterKind, hasLetter, splitRuns, WIDE } from '#modules/text/characters.ts';
import { normalizedText } from '#modules/text/normalize.ts';
import { segmenter } from '#modules/text/segmenter.ts';
import { MAX_QUERY_LENGTH } from '../search.contract.ts';
import { isStopWord } from '../text/stop-words.ts';
import { phraseParts, type TermPart, wordParts } from '../text/term-keys.ts';
import type { SynonymTable } from './synonyms.ts';

/** A word to be found, folded, with all that counts as the same word. */
export type QueryWord = {
  text: string;
  /** The word itself first, then its synonyms; each with the pieces it is looked up by. */
  forms: { text: string; pieces: TermPart[] }[];
  /** Its share of the relevance; those of a query add up to 1. */
  weight: number;
  /** In quotes: its characters must stand side by side. */
  isPhrase: boolean;
};
export type Query = {
  /** All that is wanted, as one folded text. */
  text: string;
  /** Must all be found. */
  words: QueryWord[];
  unwanted: QueryWord[];
};

/** Only a text tells whether it has one. */
export const hasPhrase = ({ words, unwanted }: Query): boolean =>
  [...words, ...unwanted].some(({ isPhrase }) => isPhrase);

const MAX_WORDS = 12;
const TOKEN = /([-－]?)(?:["“”「『＂]([^"“”「」『』＂]*)["“”」』＂]?|([^\s"“”「」『』＂]+))/g;

/** What somebody typed, understood. Whatever it is, it becomes words and never an error. */
export async function parseQuery(typed: string, synonyms: SynonymTable): Promise<Query> {
  const jieba = await segmenter();
  const given = typed.slice(0, MAX_QUERY_LENGTH).toWellFormed();
  const wanted: QueryWord[] = [];
  const unwanted: QueryWord[] = [];
  const said: string[] = [];
  const wordOf = (text: string, isPhrase: boolean): QueryWord => {
    const texts = isPhrase ? [text] : [text, ...(synonyms.get(text) ?? [])];
    const forms = texts.map((each) => ({
      text: each,
      pieces: isPhrase ? phraseParts(each) : wordParts(each, jieba),
    }));
    return { text, forms: forms.filter(({ pieces }) => pieces.length > 0), weight: 0, isPhrase };
  };
  for (const [, minus, phrase, plain = ''] of given.matchAll(TOKEN)) {
    const folded = normalizedText(phrase ?? plain);
    if (!hasLetter(folded)) continue;
    const isPhrase = phrase !== undefined;
    if (minus) unwanted.push(wordOf(folded, isPhrase));
    else {
      said.push(folded);
      // A word of the administrator is one, whatever the dictionary says.
      const words = isPhrase || synonyms.has(folded) ? [folded] : cut(folded, jieba);
      for (const word of words) wanted.push(wordOf(word, isPhrase));
    }
  }
  return {
    text: normalizedText(said.join(' ')),
    words: weighed(once(wanted)),
    unwanted: once(unwanted).slice(0, MAX_WORDS),
  };
}

const once = (words: QueryWord[]): QueryWord[] => [
  ...new Map(words.map((word) => [`${word.isPhrase} ${word.text}`, word])).values(),
];

/** Words that tell nothing are left out where others remain. Longer ones tell more. */
function weighed(words: QueryWord[]): QueryWord[] {
  const telling = words.filter(({ text, isPhrase }) => isPhrase || !isStopWord(text));
  const kept = (telling.length > 0 ? telling : words).slice(0, MAX_WORDS);
  const sizes = kept.map(({ text }) =>
    characterKind(text.charCodeAt(0)) === WIDE ? [0, 0.5, 1, 1.4, 1.7][Math.min(text.length, 4)] : 1.2,
  );
  const whole = sizes.reduce<number>((sum, size) => sum + (size ?? 1), 0);
  return kept.map((word, at) => ({ ...word, weight: (sizes[at] ?? 1) / whole }));
}

const LONG = 4;

/** The words of a folded text without quotes. Single characters count only where there is nothing else. */
function cut(folded: string, jieba: Jieba): string[] {
  return [...splitRuns(folded)].flatMap(({ kind, start, end }) => {
    const run = folded.slice(start, end);
    if (kind !== WIDE) return [run];
    const words = jieba.cut(run, true);
    const long = words.filter((word) => word.length > 1);
    if (long.length === 0) return [run];
    return long.flatMap((word) => {
      if (word.length < LONG) return [word];
      const known = jieba.cutForSearch(word, false).filter((part) => part.length < word.length);
      return partsOf(word, known);
    });
  });
}

/** 数据库系统 → 数据库 系统: what is written with other words between is meant as well. */
function partsOf(word: string, known: string[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < word.length; ) {
    const next = [3, 2].map((size) => word.slice(at, at + size)).find((part) => known.includes(part));
    if (!next) return [word];
    parts.push(next);
    at += next.length;
  }
  return parts;
}

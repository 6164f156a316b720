/** What `bench:search-engines` measures of an engine, and how engines spell the terms. */
import { isPinyinCandidate } from '#modules/search/query/field-weights.ts';
import type { Query, QueryWord } from '#modules/search/query/parse-query.ts';
import { searchPageRanges } from '#modules/search/search.contract.ts';
import type { FindRequest, FindResult } from '#modules/search/search-engine.ts';
import { pinyinTermKey, type Terms } from '#modules/search/text/term-keys.ts';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { type DocumentFields, type EngineDocument, positionKeys } from './bench-engine-documents.ts';

export type BenchEngine = {
  /** Whether the engine finds phrases by positions. If not, they are checked in the texts. */
  hasPositions: boolean;
  countDocuments(): Promise<number>;
  /** Adds or replaces documents. A search that starts afterwards finds them. */
  put(documents: readonly EngineDocument[]): Promise<void>;
  /** Merges what many calls of `put` wrote. */
  compact(): Promise<void>;
  /** `now` decides how fresh a document is. */
  find(request: FindRequest, now: number): Promise<FindResult>;
  /** Sets the price of a document. A search that starts afterwards filters and counts by it. */
  setPrice(id: number, price: number): Promise<void>;
  /** Bytes on the disk by part of the index. */
  measureSizes(): Promise<Record<string, number>>;
  close(): Promise<void>;
};

/** Levels of a term: anywhere, frequent in the text, keywords, title. */
const LEVEL_PREFIXES = ['a', 'o', 'k', 't'] as const;
export type LevelPrefix = (typeof LEVEL_PREFIXES)[number];
/** Levels above the first, with the index of their weight. */
export const upperLevels = [...LEVEL_PREFIXES.entries()].slice(1);

/** Lower case, because tokenizers ignore case. */
const KEY_DIGITS = Buffer.from('0123456789abcdefghijklmnopqrstuv');
const KEY_CHARS = 7;
const SPACE = 0x20;

/** Text of terms, written into one buffer: formatting each number took longer than any engine takes to index it. */
class TokenText {
  #buffer = Buffer.alloc(1 << 12);
  #length = 0;
  add(prefix: string, key: number): void {
    if (this.#length + prefix.length + KEY_CHARS + 1 > this.#buffer.length)
      this.#buffer = Buffer.concat([this.#buffer, Buffer.alloc(this.#buffer.length)]);
    if (prefix !== '') this.#buffer[this.#length++] = prefix.charCodeAt(0);
    for (let shift = (KEY_CHARS - 1) * 5; shift >= 0; shift -= 5)
      this.#buffer[this.#length++] = KEY_DIGITS[(key >>> shift) & 31] ?? 0;
    this.#buffer[this.#length++] = SPACE;
  }
  toString(): string {
    return this.#buffer.toString('latin1', 0, Math.max(0, this.#length - 1));
  }
}

export function levelToken(prefix: LevelPrefix, key: number): string {
  const text = new TokenText();
  text.add(prefix, key);
  return text.toString();
}

/** A term of a level is also a term of the lower levels, so that one token answers "at this level or higher". */
export function levelTokens(terms: Terms): string {
  const text = new TokenText();
  for (const [key, fields] of terms)
    for (const [level, prefix] of LEVEL_PREFIXES.entries())
      if (level === 0 || fields >= 1 << level) text.add(prefix, key);
  return text.toString();
}

export function positionTokens(keys: Iterable<number>): string {
  const text = new TokenText();
  for (const key of keys) text.add('', key);
  return text.toString();
}

/** The terms of a phrase in reading order. */
export const phraseTokens = ({ text }: QueryWord): string => positionTokens(positionKeys(normalizeForSearch(text)));

/** The terms of a word as alternatives of terms that must all occur, each of which may have alternatives. */
export const alternativeTerms = ({ forms }: QueryWord): (readonly number[])[][] =>
  forms.flatMap(({ text, pieces }) => [
    ...(pieces.length > 0 ? [pieces] : []),
    ...(isPinyinCandidate(text) ? [[[pinyinTermKey(text)]]] : []),
  ]);

export const splitPhrases = ({ words }: Query) => ({
  phrases: words.filter(({ isPhrase }) => isPhrase),
  plainWords: words.filter(({ isPhrase }) => !isPhrase),
});

/** The values by which documents are counted and filtered, without those that depend on the time of the search. */
export type FacetValues = {
  ext: string;
  language: string;
  fee_type: 'free' | 'charge';
  pages: string[];
  category: string[];
};

export const facetValuesOf = ({ ext, language, price, pages, categories }: DocumentFields): FacetValues => ({
  ext,
  language,
  fee_type: price > 0 ? 'charge' : 'free',
  pages: Object.entries(searchPageRanges).flatMap(([name, { from, to }]) =>
    pages >= from && (to === 0 || pages <= to) ? [name] : [],
  ),
  category: categories.map(String),
});

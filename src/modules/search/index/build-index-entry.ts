import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Jieba } from '@node-rs/jieba';
import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import { CJK_LETTER, characterKind, splitTextRuns } from '#modules/text/split-text-runs.ts';
import { hashWord } from '#modules/text/word-hash.ts';
import { pinyinInitialsOf, toPinyinWords } from '../text/pinyin.ts';
import { isStopWord } from '../text/stop-words.ts';
import {
  addLongTextTerms,
  addShortTextTerms,
  FIELDS,
  pinyinTermKey,
  splitIntoLookupTerms,
  type Terms,
} from '../text/term-keys.ts';

/** The searchable fields of a document, as written. */
export type IndexableDocument = {
  id: number;
  title: string;
  keywords: string;
  description: string;
  username: string;
  categories: string[];
  /** All pages, separated by form feeds. */
  text: string;
};
/** The form that both engines store. */
export type IndexEntry = { id: number; title: string; terms: Terms; textSize: number };

/** Characters that are tokenized before other requests run. */
const SLICE_CHARS = 20_000;
const MAX_FREQUENT_WORDS = 40;

export async function buildIndexEntry(document: IndexableDocument): Promise<IndexEntry> {
  const { id, title, keywords, description, username, categories, text } = document;
  const terms: Terms = new Map();
  const jieba = await loadWordSegmenter();
  const collect = (text: string, fields: number) => addShortTextTerms(normalizeForSearch(text), fields, terms, jieba);
  collect(title, FIELDS.title);
  collect(keywords, FIELDS.keyword);
  collect(description, FIELDS.any);
  collect([username, ...categories].join('\n'), FIELDS.often);
  const counts = new Map<string, number>();
  for (let from = 0; from < text.length; ) {
    const end = sliceEnd(text, from);
    const words = segmentIntoWords(normalizeForSearch(text.slice(from, end)), jieba);
    addLongTextTerms(words, terms);
    addWordCounts(words, counts);
    from = end;
    if (from < text.length) await yieldToEventLoop();
  }
  for (const word of frequentWords(counts, text.length))
    for (const piece of splitIntoLookupTerms(word, jieba)) {
      const key = hashWord(piece);
      terms.set(key, (terms.get(key) ?? FIELDS.any) | FIELDS.often);
    }
  for (const pinyin of await buildPinyinTitleTerms(`${title} ${keywords}`))
    terms.set(pinyinTermKey(pinyin), FIELDS.any | FIELDS.keyword);
  return { id, title: normalizeForSearch(title), terms, textSize: Buffer.byteLength(text) };
}

/** Ends a slice after a page, else after a line, else anywhere. */
function sliceEnd(text: string, from: number): number {
  const maxEnd = from + SLICE_CHARS;
  if (maxEnd >= text.length) return text.length;
  const minEnd = from + SLICE_CHARS / 2;
  for (const mark of ['\f', '\n']) {
    const at = text.slice(minEnd, maxEnd).lastIndexOf(mark);
    if (at >= 0) return minEnd + at + 1;
  }
  return maxEnd;
}

/**
 * The words of a normalized text; a space stands for skipped characters, so that words around them are not adjacent.
 */
function segmentIntoWords(normalizedBody: string, jieba: Jieba): string[] {
  const words: string[] = [];
  let last = 0;
  for (const { kind, start, end } of splitTextRuns(normalizedBody)) {
    if (start > last) words.push(' ');
    const run = normalizedBody.slice(start, end);
    if (kind === CJK_LETTER) words.push(...jieba.cut(run, false));
    else words.push(run);
    last = end;
  }
  return words;
}

function addWordCounts(words: readonly string[], counts: Map<string, number>): void {
  for (const word of words) if (word.length > 1 && word.length <= 20) counts.set(word, (counts.get(word) ?? 0) + 1);
}

function frequentWords(counts: Map<string, number>, length: number): string[] {
  const minCount = length > 1_000 ? 3 : 2;
  return [...counts]
    .filter(([word, count]) => count >= minCount && !isStopWord(word))
    .sort(([a, countOfA], [b, countOfB]) => countOfB * b.length - countOfA * a.length)
    .slice(0, MAX_FREQUENT_WORDS)
    .map(([word]) => word);
}

/** The longest sequence of syllables that is indexed as one term. */
const MAX_SYLLABLES = 8;

/**
 * Pinyin of a title from the start of each word up to each following syllable, in full and as initials:
 * gongsizhangcheng and gszc find 公司章程模板.
 */
async function buildPinyinTitleTerms(title: string): Promise<string[]> {
  const jieba = await loadWordSegmenter();
  const words = (await toPinyinWords(normalizeForSearch(title))).filter(
    ({ text }) => characterKind(text.charCodeAt(0)) === CJK_LETTER,
  );
  const pinyinTerms = new Set<string>();
  for (const [index, { text }] of words.entries()) {
    const followingSyllables = words.slice(index, index + MAX_SYLLABLES).flatMap((word) => word.syllables);
    for (const start of wordStarts(text, jieba)) {
      const syllables = followingSyllables.slice(start, start + MAX_SYLLABLES);
      for (let size = 1; size <= syllables.length; size += 1) {
        const run = syllables.slice(0, size);
        pinyinTerms.add(run.join(''));
        if (size > 1) pinyinTerms.add(pinyinInitialsOf(run));
      }
    }
  }
  return [...pinyinTerms].filter((pinyin) => /^[a-z]{2,40}$/.test(pinyin));
}

/** Start offsets of the words within a compound: 章程 within 公司章程. */
const wordStarts = (word: string, jieba: Jieba): Set<number> =>
  new Set([0, ...jieba.cutForSearch(word, false).map((part) => Math.max(0, word.indexOf(part)))]);

import { setImmediate as breathe } from 'node:timers/promises';
import type { Jieba } from '@node-rs/jieba';
import { characterKind, splitRuns, WIDE } from '#modules/text/characters.ts';
import { normalizedText } from '#modules/text/normalize.ts';
import { segmenter } from '#modules/text/segmenter.ts';
import { initialsOf, toPinyinWords } from '../text/pinyin.ts';
import { isStopWord } from '../text/stop-words.ts';
import { collectAll, collectWords, keyOf, PLACES, pinyinTermKey, type Terms, termPartsOf } from '../text/term-keys.ts';

/** What a document is found by, as its authors wrote it. */
export type IndexableDocument = {
  id: number;
  title: string;
  keywords: string;
  description: string;
  username: string;
  categories: string[];
  /** Of all pages, form feeds between them. */
  text: string;
};
/** The same as every engine keeps it. */
export type IndexEntry = { id: number; title: string; terms: Terms; textSize: number };

/** So many characters are worked through before others get their turn. */
const SLICE = 20_000;
const OFTEN_WORDS = 40;

export async function buildIndexEntry(findable: IndexableDocument): Promise<IndexEntry> {
  const { id, title, keywords, description, username, categories, text } = findable;
  const terms: Terms = new Map();
  const jieba = await segmenter();
  const collect = (text: string, places: number) => collectAll(normalizedText(text), places, terms, jieba);
  collect(title, PLACES.title);
  collect(keywords, PLACES.keyword);
  collect(description, PLACES.any);
  collect([username, ...categories].join('\n'), PLACES.often);
  const counts = new Map<string, number>();
  for (let from = 0; from < text.length; ) {
    const end = sliceEnd(text, from);
    const words = wordsOf(normalizedText(text.slice(from, end)), jieba);
    collectWords(words, terms);
    count(words, counts);
    from = end;
    if (from < text.length) await breathe();
  }
  for (const word of oftenIn(counts, text.length))
    for (const piece of termPartsOf(word, jieba)) {
      const key = keyOf(piece);
      terms.set(key, (terms.get(key) ?? PLACES.any) | PLACES.often);
    }
  for (const sound of await soundsOf(`${title} ${keywords}`))
    terms.set(pinyinTermKey(sound), PLACES.any | PLACES.keyword);
  return { id, title: normalizedText(title), terms, textSize: Buffer.byteLength(text) };
}

/** Where a slice may end: after a page, a line where a page is longer, or anywhere. */
function sliceEnd(text: string, from: number): number {
  const most = from + SLICE;
  if (most >= text.length) return text.length;
  const least = from + SLICE / 2;
  for (const mark of ['\f', '\n']) {
    const at = text.slice(least, most).lastIndexOf(mark);
    if (at >= 0) return least + at + 1;
  }
  return most;
}

/** The words of a folded text; what stands between them parts them. */
function wordsOf(folded: string, jieba: Jieba): string[] {
  const words: string[] = [];
  let last = 0;
  for (const { kind, start, end } of splitRuns(folded)) {
    if (start > last) words.push(' ');
    const run = folded.slice(start, end);
    if (kind === WIDE) words.push(...jieba.cut(run, false));
    else words.push(run);
    last = end;
  }
  return words;
}

function count(words: readonly string[], counts: Map<string, number>): void {
  for (const word of words) if (word.length > 1 && word.length <= 20) counts.set(word, (counts.get(word) ?? 0) + 1);
}

/** The words a text has again and again. */
function oftenIn(counts: Map<string, number>, length: number): string[] {
  const least = length > 1_000 ? 3 : 2;
  return [...counts]
    .filter(([word, count]) => count >= least && !isStopWord(word))
    .sort(([one, ones], [other, others]) => others * other.length - ones * one.length)
    .slice(0, OFTEN_WORDS)
    .map(([word]) => word);
}

/** The longest run of syllables that is looked up as one word. */
const MAX_SYLLABLES = 8;

/**
 * How a title sounds from the beginning of each of its words, up to each following syllable, and the
 * first letters of the same: gongsizhangcheng and gszc find 公司章程模板.
 */
async function soundsOf(title: string): Promise<string[]> {
  const jieba = await segmenter();
  const words = (await toPinyinWords(normalizedText(title))).filter(
    ({ text }) => characterKind(text.charCodeAt(0)) === WIDE,
  );
  const sounds = new Set<string>();
  for (const [index, { text }] of words.entries()) {
    const following = words.slice(index, index + MAX_SYLLABLES).flatMap((word) => word.syllables);
    for (const start of wordStarts(text, jieba)) {
      const syllables = following.slice(start, start + MAX_SYLLABLES);
      for (let size = 1; size <= syllables.length; size += 1) {
        const run = syllables.slice(0, size);
        sounds.add(run.join(''));
        if (size > 1) sounds.add(initialsOf(run));
      }
    }
  }
  return [...sounds].filter((sound) => /^[a-z]{2,40}$/.test(sound));
}

/** Where words begin within a word: 章程 within 公司章程. */
const wordStarts = (word: string, jieba: Jieba): Set<number> =>
  new Set([0, ...jieba.cutForSearch(word, false).map((part) => Math.max(0, word.indexOf(part)))]);

import { LRUCache } from 'lru-cache';
import type { pinyin as Pinyin } from 'pinyin-pro';
import { loadWordSegmenter } from '#modules/text/segmenter.ts';
import { CJK_LETTER, splitTextRuns } from '#modules/text/split-text-runs.ts';

let loadPromise: Promise<typeof Pinyin> | null = null;
/** The dictionary costs load time and memory, so it is loaded on first use. */
const loadPinyin = (): Promise<typeof Pinyin> => {
  loadPromise ??= import('pinyin-pro').then(({ pinyin }) => pinyin);
  return loadPromise;
};

const MAX_CACHED_WORDS = 50_000;
const syllableCache = new LRUCache<string, string[]>({ max: MAX_CACHED_WORDS });

/** The syllables of a word without tones, cached because words repeat. */
function syllablesOf(pinyin: typeof Pinyin, word: string): string[] {
  const cachedSyllables = syllableCache.get(word);
  if (cachedSyllables) return cachedSyllables;
  const syllables = pinyin(word, { toneType: 'none', type: 'array', v: true }).map((each) => each.toLowerCase());
  syllableCache.set(word, syllables);
  return syllables;
}

/** Latin words have themselves as their only syllable. */
export type PinyinWord = { start: number; text: string; syllables: string[] };

export async function toPinyinWords(normalizedText: string): Promise<PinyinWord[]> {
  const [jieba, pinyin] = await Promise.all([loadWordSegmenter(), loadPinyin()]);
  return [...splitTextRuns(normalizedText)].flatMap(({ kind, start, end }) => {
    const run = normalizedText.slice(start, end);
    if (kind !== CJK_LETTER) return [{ start, text: run, syllables: [run] }];
    let at = start;
    return jieba.cut(run, false).map((text) => {
      const word = { start: at, text, syllables: syllablesOf(pinyin, text) };
      at += text.length;
      return word;
    });
  });
}

export const pinyinInitialsOf = (syllables: readonly string[]): string =>
  syllables.map((each) => each.charAt(0)).join('');

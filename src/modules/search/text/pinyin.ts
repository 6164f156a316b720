import type { pinyin as Pinyin } from 'pinyin-pro';
import { splitRuns, WIDE } from '#modules/text/characters.ts';
import { segmenter } from '#modules/text/segmenter.ts';

let loading: Promise<typeof Pinyin> | null = null;
/** Its dictionary takes a moment and memory, so it is loaded when first needed. */
const speaker = (): Promise<typeof Pinyin> => {
  loading ??= import('pinyin-pro').then(({ pinyin }) => pinyin);
  return loading;
};

const KEPT = 50_000;
const spoken = new Map<string, string[]>();

/** The syllables of a word without tones. Words come again and again, so they are kept. */
function speak(pinyin: typeof Pinyin, word: string): string[] {
  const known = spoken.get(word);
  if (known) return known;
  const syllables = pinyin(word, { toneType: 'none', type: 'array', v: true }).map((each) => each.toLowerCase());
  if (spoken.size >= KEPT) spoken.clear();
  spoken.set(word, syllables);
  return syllables;
}

/** A word of a text: where it begins, and how it sounds; letters sound as they are written. */
export type PinyinWord = { start: number; text: string; syllables: string[] };

/** The words of a folded text with their sound. */
export async function toPinyinWords(folded: string): Promise<PinyinWord[]> {
  const [jieba, pinyin] = await Promise.all([segmenter(), speaker()]);
  return [...splitRuns(folded)].flatMap(({ kind, start, end }) => {
    const run = folded.slice(start, end);
    if (kind !== WIDE) return [{ start, text: run, syllables: [run] }];
    let at = start;
    return jieba.cut(run, false).map((text) => {
      const word = { start: at, text, syllables: speak(pinyin, text) };
      at += text.length;
      return word;
    });
  });
}

export const initialsOf = (syllables: readonly string[]): string => syllables.map((each) => each.charAt(0)).join('');

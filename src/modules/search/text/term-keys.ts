import type { Jieba } from '@node-rs/jieba';
import { CJK_LETTER, characterKind, LETTER, numberParts, splitTextRuns, stem } from '#modules/text/split-text-runs.ts';
import { addToHash, EMPTY_HASH, finalizeHash, hashWord } from '#modules/text/word-hash.ts';

/** Pinyin keys start with NUL, which no text contains, so that they never equal the key of a word. */
export const pinyinTermKey = (pinyin: string): number => hashWord(`\u0000${pinyin}`);

/**
 * Marks pairs that cross a word boundary: two Chinese words, two Latin words, or a Latin word and the adjacent
 * character. They are not words, but a phrase may contain them.
 */
const BOUNDARY = 1;
const boundaryKey = (pair: string): number => hashWord(String.fromCharCode(BOUNDARY) + pair);
const adjacentKey = (a: string, b: string): number => boundaryKey(`${a} ${b}`);

/** Marks a character inside a longer word, which a search for that single character finds. */
const INNER_CHARACTER_MARK = 2;
const innerCharacterKey = (character: string): number =>
  hashWord(String.fromCharCode(INNER_CHARACTER_MARK) + character);

/** Bits: anywhere; frequent in the text; among the keywords; in the title. */
export const FIELDS = { any: 1, often: 2, keyword: 4, title: 8 } as const;
/** Term key to the union of its field bits. */
export type Terms = Map<number, number>;

const addTerm = (terms: Terms, key: number, fields: number) =>
  terms.set(key, (terms.get(key) ?? 0) | fields | FIELDS.any);

const isMultiCharacter = (token: string) => token.length > 1;

/**
 * The lookup terms of a normalized text: character pairs within its Chinese words, stems of its Latin words. Single
 * characters next to longer words are left to the ranking; if there are only single characters, they are the terms.
 */
export function splitIntoLookupTerms(normalizedText: string, jieba: Jieba): string[] {
  const parts = new Set<string>();
  for (const { kind, start, end } of splitTextRuns(normalizedText)) {
    const run = normalizedText.slice(start, end);
    if (kind !== CJK_LETTER) parts.add(stem(run));
    else if (run.length === 1) parts.add(run);
    else {
      const tokens = jieba.cut(run, false);
      for (const token of tokens.some(isMultiCharacter) ? tokens.filter(isMultiCharacter) : [run])
        for (const pair of characterPairs(token)) parts.add(pair);
    }
  }
  return [...parts];
}

export type TermPart = readonly number[];

export const wordLookupKeys = (normalizedText: string, jieba: Jieba): TermPart[] =>
  splitIntoLookupTerms(normalizedText, jieba).map((part) =>
    part.length === 1 && characterKind(part.charCodeAt(0)) === CJK_LETTER
      ? [hashWord(part), innerCharacterKey(part)]
      : [hashWord(part)],
  );

/**
 * The lookup terms of a normalized phrase: all its pairs, because wherever the phrase occurs some pairs lie within
 * words and some cross a boundary. A single character may be inside a word there, so it is used only if there is
 * nothing else.
 */
export function phraseLookupKeys(normalizedText: string): TermPart[] {
  const parts = new Map<string, TermPart>();
  const singleCharacterTerms = new Map<string, TermPart>();
  const addPair = (a: string, b: string) => parts.set(`${a} ${b}`, [adjacentKey(a, b)]);
  const adjacency = createAdjacentPairTracker(addPair);
  for (const { kind, start, end } of splitTextRuns(normalizedText)) {
    const run = normalizedText.slice(start, end);
    if (kind !== CJK_LETTER) {
      const root = stem(run);
      parts.set(root, [hashWord(root)]);
      adjacency.word(root, start, end);
      continue;
    }
    adjacency.wide(run, start, end);
    if (run.length === 1) singleCharacterTerms.set(run, [hashWord(run)]);
    else for (const pair of characterPairs(run)) parts.set(pair, [hashWord(pair), boundaryKey(pair)]);
  }
  return [...(parts.size > 0 ? parts : singleCharacterTerms).values()];
}

/** Calls `onPair` for each Latin word and its neighbour: another Latin word, or the character it touches. */
function createAdjacentPairTracker(onPair: (a: string, b: string) => void) {
  let [word, wide, last] = ['', '', 0];
  return {
    word(root: string, start: number, end: number) {
      if (word) onPair(word, root);
      else if (wide && start === last) onPair(wide, root);
      word = root;
      wide = '';
      last = end;
    },
    wide(run: string, start: number, end: number) {
      if (word && start === last) onPair(word, run.charAt(0));
      word = '';
      wide = run.charAt(run.length - 1);
      last = end;
    },
  };
}

function* characterPairs(text: string): Generator<string> {
  for (let at = 0; at < text.length - 1; at += 1) yield text.slice(at, at + 2);
}

/** A compound number is also found by its parts. */
function putLatinWord(terms: Terms, word: string, fields: number): string {
  const root = stem(word);
  addTerm(terms, hashWord(root), fields);
  for (const part of numberParts(word)) addTerm(terms, hashWord(stem(part)), 0);
  return root;
}

/**
 * Adds the characters and all pairs of a short text. A pair that crosses a word boundary gets no field weight: 化妆和服装 is
 * not about 和服.
 */
export function addShortTextTerms(normalizedText: string, fields: number, terms: Terms, jieba: Jieba): void {
  const adjacency = createAdjacentPairTracker((a, b) => addTerm(terms, adjacentKey(a, b), fields));
  for (const { kind, start, end } of splitTextRuns(normalizedText)) {
    const run = normalizedText.slice(start, end);
    if (kind !== CJK_LETTER) {
      adjacency.word(putLatinWord(terms, run, fields), start, end);
      continue;
    }
    adjacency.wide(run, start, end);
    for (let at = 0; at < run.length; at += 1) addTerm(terms, hashWord(run.charAt(at)), fields);
    const boundaries = wordBoundaryOffsets(jieba.cut(run, false));
    for (let at = 0; at < run.length - 1; at += 1)
      addTerm(terms, hashWord(run.slice(at, at + 2)), boundaries.has(at + 1) ? 0 : fields);
  }
}

/** Adjacent single-character words may belong together, so there is no boundary between them. */
function wordBoundaryOffsets(words: readonly string[]): Set<number> {
  const boundaries = new Set<number>();
  let at = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    at += word.length;
    if (next && (word.length > 1 || next.length > 1)) boundaries.add(at);
  }
  return boundaries;
}

/**
 * Adds the words of a long text: all pairs, with separate keys for pairs that cross a word boundary, because users
 * rarely mean those; single-character words, and with separate keys the characters inside longer words.
 */
export function addLongTextTerms(words: readonly string[], terms: Terms): void {
  const adjacency = createAdjacentPairTracker((a, b) => addTerm(terms, adjacentKey(a, b), 0));
  let [before, at] = ['', 0];
  for (const word of words) {
    const start = at;
    at += word.length;
    const kind = characterKind(word.charCodeAt(0));
    if (kind === LETTER) {
      adjacency.word(putLatinWord(terms, word, 0), start, at);
    }
    if (kind !== CJK_LETTER) {
      before = '';
      continue;
    }
    adjacency.wide(word, start, at);
    const isSingle = word.length === 1;
    const first = word.charCodeAt(0);
    if (isSingle) addTerm(terms, finalizeHash(addToHash(EMPTY_HASH, first)), 0);
    else
      for (let place = 0; place < word.length; place += 1)
        addTerm(terms, finalizeHash(addToHash(addToHash(EMPTY_HASH, INNER_CHARACTER_MARK), word.charCodeAt(place))), 0);
    if (before) {
      const isPair = isSingle || before.length === 1;
      const start = isPair ? EMPTY_HASH : addToHash(EMPTY_HASH, BOUNDARY);
      addTerm(terms, finalizeHash(addToHash(addToHash(start, before.charCodeAt(before.length - 1)), first)), 0);
    }
    for (let place = 0; place < word.length - 1; place += 1)
      addTerm(
        terms,
        finalizeHash(addToHash(addToHash(EMPTY_HASH, word.charCodeAt(place)), word.charCodeAt(place + 1))),
        0,
      );
    before = word;
  }
}

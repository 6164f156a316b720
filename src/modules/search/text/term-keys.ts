import type { Jieba } from '@node-rs/jieba';
import { characterKind, LETTER, numberParts, splitRuns, stem, WIDE } from '#modules/text/characters.ts';

const PRIME = 0x01000193;
const OFFSET = 0x811c9dc5;
const add = (hash: number, code: number) => Math.imul(Math.imul(hash ^ (code & 0xff), PRIME) ^ (code >>> 8), PRIME);
/** Mixed, so that words alike lie far apart. */
function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** A word as a number of 32 bits (FNV-1a): short to keep, and nothing can be read from it. */
export function keyOf(word: string): number {
  let hash = OFFSET;
  for (let index = 0; index < word.length; index += 1) hash = add(hash, word.charCodeAt(index));
  return mixed(hash);
}

/** How something sounds is no word: it begins with what no text has. */
export const pinyinTermKey = (sound: string): number => keyOf(`\u0000${sound}`);

/**
 * The end of one Chinese word and the beginning of the next, two words of letters side by side, or a
 * word of letters and the character it touches: no word either, but a phrase may run over it.
 */
const JOINT = 1;
const jointKey = (pair: string): number => keyOf(String.fromCharCode(JOINT) + pair);
const besideKey = (one: string, other: string): number => jointKey(`${one} ${other}`);

/** A character within a longer word: found when it is searched for alone. */
const INSIDE = 2;
const insideKey = (character: string): number => keyOf(String.fromCharCode(INSIDE) + character);

/** Where a word stands: somewhere; often in the text; among the keywords; in the title. */
export const PLACES = { any: 1, often: 2, keyword: 4, title: 8 } as const;
/** For every word the places it stands in, added up. */
export type Terms = Map<number, number>;

const put = (terms: Terms, key: number, places: number) => terms.set(key, (terms.get(key) ?? 0) | places | PLACES.any);

const isLong = (token: string) => token.length > 1;

/**
 * What a folded text is looked up by: pairs of characters within its words, stems of its words of
 * letters. A single character beside words is left to the ranking; alone it is all there is.
 */
export function termPartsOf(folded: string, jieba: Jieba): string[] {
  const pieces = new Set<string>();
  for (const { kind, start, end } of splitRuns(folded)) {
    const run = folded.slice(start, end);
    if (kind !== WIDE) pieces.add(stem(run));
    else if (run.length === 1) pieces.add(run);
    else {
      const tokens = jieba.cut(run, false);
      for (const token of tokens.some(isLong) ? tokens.filter(isLong) : [run])
        for (const pair of pairsOf(token)) pieces.add(pair);
    }
  }
  return [...pieces];
}

/** Keys of which one stands for a piece of what is looked for. */
export type TermPart = readonly number[];

export const wordParts = (folded: string, jieba: Jieba): TermPart[] =>
  termPartsOf(folded, jieba).map((piece) =>
    piece.length === 1 && characterKind(piece.charCodeAt(0)) === WIDE
      ? [keyOf(piece), insideKey(piece)]
      : [keyOf(piece)],
  );

/**
 * What a folded phrase is looked up by: all its pairs, as wherever it stands some are within words and
 * some between two. A single character may be within a word there, so it counts only alone.
 */
export function phraseParts(folded: string): TermPart[] {
  const pieces = new Map<string, TermPart>();
  const singles = new Map<string, TermPart>();
  const addJoint = (one: string, other: string) => pieces.set(`${one} ${other}`, [besideKey(one, other)]);
  const letters = lettersBeside(addJoint);
  for (const { kind, start, end } of splitRuns(folded)) {
    const run = folded.slice(start, end);
    if (kind !== WIDE) {
      const root = stem(run);
      pieces.set(root, [keyOf(root)]);
      letters.word(root, start, end);
      continue;
    }
    letters.wide(run, start, end);
    if (run.length === 1) singles.set(run, [keyOf(run)]);
    else for (const pair of pairsOf(run)) pieces.set(pair, [keyOf(pair), jointKey(pair)]);
  }
  return [...(pieces.size > 0 ? pieces : singles).values()];
}

/** Tells of what stands beside each word of letters: another one, or the character it touches. */
function lettersBeside(tell: (one: string, other: string) => void) {
  let [word, wide, last] = ['', '', 0];
  return {
    word(root: string, start: number, end: number) {
      if (word) tell(word, root);
      else if (wide && start === last) tell(wide, root);
      word = root;
      wide = '';
      last = end;
    },
    wide(run: string, start: number, end: number) {
      if (word && start === last) tell(word, run.charAt(0));
      word = '';
      wide = run.charAt(run.length - 1);
      last = end;
    },
  };
}

function* pairsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length - 1; at += 1) yield text.slice(at, at + 2);
}

/** Adds a word of letters; a compound number also by its parts. */
function putLetters(terms: Terms, word: string, places: number): string {
  const root = stem(word);
  put(terms, keyOf(root), places);
  for (const part of numberParts(word)) put(terms, keyOf(stem(part)), 0);
  return root;
}

/**
 * Adds all of a short text: its characters, and all pairs of them. A pair made of the end of one word
 * and the beginning of the next is found, but counts little: 化妆和服装 is not about 和服.
 */
export function collectAll(folded: string, places: number, terms: Terms, jieba: Jieba): void {
  const letters = lettersBeside((one, other) => put(terms, besideKey(one, other), places));
  for (const { kind, start, end } of splitRuns(folded)) {
    const run = folded.slice(start, end);
    if (kind !== WIDE) {
      letters.word(putLetters(terms, run, places), start, end);
      continue;
    }
    letters.wide(run, start, end);
    for (let at = 0; at < run.length; at += 1) put(terms, keyOf(run.charAt(at)), places);
    const joints = jointsOf(jieba.cut(run, false));
    for (let at = 0; at < run.length - 1; at += 1)
      put(terms, keyOf(run.slice(at, at + 2)), joints.has(at + 1) ? 0 : places);
  }
}

/** Where one word ends and the next begins; characters that are words of their own may belong together. */
function jointsOf(words: readonly string[]): Set<number> {
  const joints = new Set<number>();
  let at = 0;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    at += word.length;
    if (next && (word.length > 1 || next.length > 1)) joints.add(at);
  }
  return joints;
}

/**
 * Adds a long text cut into words: all pairs, those made of the end of one word and the beginning of
 * another under keys of their own, as nobody means them; single characters that are words, and those
 * within longer words under keys of their own.
 */
export function collectWords(words: readonly string[], terms: Terms): void {
  const letters = lettersBeside((one, other) => put(terms, besideKey(one, other), 0));
  let [before, at] = ['', 0];
  for (const word of words) {
    const start = at;
    at += word.length;
    const kind = characterKind(word.charCodeAt(0));
    if (kind === LETTER) {
      letters.word(putLetters(terms, word, 0), start, at);
    }
    if (kind !== WIDE) {
      before = '';
      continue;
    }
    letters.wide(word, start, at);
    const isSingle = word.length === 1;
    const first = word.charCodeAt(0);
    if (isSingle) put(terms, mixed(add(OFFSET, first)), 0);
    else
      for (let place = 0; place < word.length; place += 1)
        put(terms, mixed(add(add(OFFSET, INSIDE), word.charCodeAt(place))), 0);
    if (before) {
      const isPair = isSingle || before.length === 1;
      const start = isPair ? OFFSET : add(OFFSET, JOINT);
      put(terms, mixed(add(add(start, before.charCodeAt(before.length - 1)), first)), 0);
    }
    for (let place = 0; place < word.length - 1; place += 1)
      put(terms, mixed(add(add(OFFSET, word.charCodeAt(place)), word.charCodeAt(place + 1))), 0);
    before = word;
  }
}

import { characterKind, LETTER, stem } from '#modules/text/characters.ts';
import type { NormalizedText } from '#modules/text/match-text.contract.ts';
import type { QueryWord } from './parse-query.ts';

/** Where one of the words stands in a folded text: `word` is its number in the query. */
export type TextMatch = { word: number; start: number; end: number };

const isLetter = (text: string, at: number) =>
  at >= 0 && at < text.length && characterKind(text.charCodeAt(at)) === LETTER;

/** From the first to the last letter of the word at this place. */
function wordAt(text: string, at: number): [number, number] {
  let [start, end] = [at, at + 1];
  while (isLetter(text, start - 1)) start -= 1;
  while (isLetter(text, end)) end += 1;
  return [start, end];
}

const isOfLetters = (form: string) => [...form].every((letter) => characterKind(letter.charCodeAt(0)) === LETTER);
const needleOf = (form: string): string => (isOfLetters(form) ? stem(form) : form);

/** What a folded text must have somewhere to have one of the words. */
export const needlesOf = (words: readonly QueryWord[]): string[] =>
  words.flatMap(({ forms }) => forms.map(({ text }) => needleOf(text)).filter(Boolean));

/** All places of one form. Words of letters count with any ending, and only whole. */
function* placesOf(text: string, form: string): Generator<[number, number]> {
  const isWord = isOfLetters(form);
  const needle = needleOf(form);
  if (needle === '') return;
  const isOpen = !isWord && isLetter(form, 0);
  const isOpenBehind = !isWord && isLetter(form, form.length - 1);
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at)) {
    const end = at + needle.length;
    if (isWord) {
      const [from, to] = wordAt(text, at);
      if (from === at && stem(text.slice(from, to)) === needle) yield [from, to];
      at = Math.max(end, to);
    } else {
      // c++ is not found in objc++, and 12.8 not in 12.85.
      const isWithin = (isOpen && isLetter(text, at - 1)) || (isOpenBehind && isLetter(text, end));
      if (!isWithin) yield [at, end];
      at = end;
    }
  }
}

const MAX_HITS = 200;

/** All places of all words of a page, in order. */
export function findMatches(text: string, words: readonly QueryWord[]): TextMatch[] {
  const hits: TextMatch[] = [];
  for (const [word, { forms }] of words.entries())
    for (const form of forms) {
      let found = 0;
      for (const [start, end] of placesOf(text, form.text)) {
        hits.push({ word, start, end });
        found += 1;
        if (found === MAX_HITS) break;
      }
    }
  return hits.sort((one, other) => one.start - other.start || other.end - one.end);
}

/** The same places in the text before it was folded, those that touch as one. */
export function spansOf({ at }: NormalizedText, hits: readonly TextMatch[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const { start, end } of hits) {
    const [from, to] = [at[start] ?? 0, (at[end - 1] ?? 0) + 1];
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

import type { NormalizedText } from '#modules/text/match-text.contract.ts';
import { characterKind, LETTER, stem } from '#modules/text/split-text-runs.ts';
import type { QueryWord } from './parse-query.ts';

/** Range of a word in a normalized text; `word` is its index in the query. */
export type TextMatch = { word: number; start: number; end: number };

const isLetter = (text: string, at: number) =>
  at >= 0 && at < text.length && characterKind(text.charCodeAt(at)) === LETTER;

/** Start and end of the Latin word at an offset. */
function latinWordRangeAt(text: string, at: number): [number, number] {
  let [start, end] = [at, at + 1];
  while (isLetter(text, start - 1)) start -= 1;
  while (isLetter(text, end)) end += 1;
  return [start, end];
}

/** A unit may follow a number: 3.5 in 3.5km. */
const isNumber = (form: string) => /^\d[\d.,]*$/.test(form);
const isDigit = (text: string, at: number) => /\d/.test(text.charAt(at));

const isLatin = (form: string) => [...form].every((letter) => characterKind(letter.charCodeAt(0)) === LETTER);
const toSearchNeedle = (form: string): string => (isLatin(form) ? stem(form) : form);

/** Strings of which a normalized text must contain one to match any of the words. */
export const collectSearchNeedles = (words: readonly QueryWord[]): string[] =>
  words.flatMap(({ forms }) => forms.map(({ text }) => toSearchNeedle(text)).filter(Boolean));

/** Latin words match as whole words, with any ending. */
function* findWordFormRanges(text: string, form: string): Generator<[number, number]> {
  const isEndInsideWord = isNumber(form) ? isDigit : isLetter;
  const isWord = isLatin(form) && !isNumber(form);
  const needle = toSearchNeedle(form);
  if (needle === '') return;
  const startsWithLetter = !isWord && isLetter(form, 0);
  const endsWithLetter = !isWord && isLetter(form, form.length - 1);
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at)) {
    const end = at + needle.length;
    if (isWord) {
      const [from, to] = latinWordRangeAt(text, at);
      if (from === at && stem(text.slice(from, to)) === needle) yield [from, to];
      at = Math.max(end, to);
    } else {
      // c++ must not match objc++, and 12.8 not 12.85.
      const isInsideWord =
        (startsWithLetter && isLetter(text, at - 1)) || (endsWithLetter && isEndInsideWord(text, end));
      if (!isInsideWord) yield [at, end];
      at = end;
    }
  }
}

const MAX_MATCHES_PER_FORM = 200;

export function findQueryWordMatches(text: string, words: readonly QueryWord[]): TextMatch[] {
  const matches: TextMatch[] = [];
  for (const [word, { forms }] of words.entries())
    for (const form of forms) {
      let count = 0;
      for (const [start, end] of findWordFormRanges(text, form.text)) {
        matches.push({ word, start, end });
        count += 1;
        if (count === MAX_MATCHES_PER_FORM) break;
      }
    }
  return matches.sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Maps matches to offsets in the original text and joins adjacent ones. */
export function toHighlightSpans({ at }: NormalizedText, matches: readonly TextMatch[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const { start, end } of matches) {
    const [from, to] = [at[start] ?? 0, (at[end - 1] ?? 0) + 1];
    const last = spans.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([from, to]);
  }
  return spans;
}

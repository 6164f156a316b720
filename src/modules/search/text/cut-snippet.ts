import { joinLines } from '#modules/conversion/join-lines.ts';
import { normalizeText } from '#modules/text/normalize.ts';
import { findMatches, spansOf } from '../query/find-matches.ts';
import type { QueryWord } from '../query/parse-query.ts';
import type { SearchMarks } from '../search.contract.ts';

const BEFORE = 24;
const LENGTH = 130;
const ELLIPSIS = '…';

/** Part of a text in one line: what was marked stays marked. */
function markedLine(body: string, from: number, to: number, spans: readonly [number, number][]) {
  const { line, at } = joinLines(body, from, to);
  const placeOf = (place: number) => {
    const found = at.findIndex((each) => each >= place);
    return found < 0 ? line.length : found;
  };
  const marks: SearchMarks = spans
    .filter(([start, end]) => start >= from && end <= to)
    .map(([start, end]) => [placeOf(start), placeOf(end - 1) + 1]);
  return { line, marks };
}

/** Not between the halves of a character. */
const whole = (text: string, at: number) =>
  at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;

/** One line of a page around a place (in the folded page), with the words marked. */
export function cutSnippet(
  body: string,
  words: readonly QueryWord[],
  best: { start: number; end: number },
): { text: string; marks: SearchMarks; wd: string } {
  const folded = normalizeText(body);
  const hits = findMatches(folded.text, words);
  const spans = spansOf(folded, hits);
  const center = folded.at[best.start] ?? 0;
  const from = whole(body, Math.max(0, center - BEFORE));
  const to = whole(body, Math.min(body.length, from + LENGTH));
  const { line, marks } = markedLine(body, from, to, spans);
  const lead = from > 0 ? ELLIPSIS : '';
  const first = spans.find(([start]) => start >= center) ?? spans[0] ?? [0, 0];
  return {
    text: `${lead}${line}${to < body.length ? ELLIPSIS : ''}`.toWellFormed(),
    marks: marks.map(([start, end]) => [start + lead.length, end + lead.length]),
    wd: joinLines(body, first[0], first[1]).line,
  };
}

/** Where the words stand in a title or a description. */
export function highlightsIn(text: string, words: readonly QueryWord[]): SearchMarks {
  const folded = normalizeText(text);
  return spansOf(folded, findMatches(folded.text, words));
}

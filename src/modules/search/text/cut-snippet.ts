import { joinWrappedLines } from '#modules/conversion/join-wrapped-lines.ts';
import { normalizeForSearchWithOffsets } from '#modules/text/normalize-text.ts';
import { findQueryWordMatches, toHighlightSpans } from '../query/find-query-word-matches.ts';
import type { QueryWord } from '../query/parse-query.ts';
import type { SearchMarks } from '../search.contract.ts';

const CONTEXT_BEFORE_CHARS = 24;
const SNIPPET_CHARS = 130;
const ELLIPSIS = '…';

/** Joins a part of a text into one line and maps the highlights that lie fully inside it. */
function joinWithMarks(body: string, from: number, to: number, spans: readonly [number, number][]) {
  const { line, at } = joinWrappedLines(body, from, to);
  const lineOffset = (offset: number) => {
    const index = at.findIndex((each) => each >= offset);
    return index < 0 ? line.length : index;
  };
  const marks: SearchMarks = spans
    .filter(([start, end]) => start >= from && end <= to)
    .map(([start, end]) => [lineOffset(start), lineOffset(end - 1) + 1]);
  return { line, marks };
}

/** Moves an offset that would split a surrogate pair. */
const atCharacterBoundary = (text: string, at: number) =>
  at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;

/** One line of a page around a match (offsets in the normalized page), with the query words highlighted. */
export function cutSnippet(
  body: string,
  words: readonly QueryWord[],
  match: { start: number; end: number },
): { text: string; marks: SearchMarks; wd: string } {
  const normalizedBody = normalizeForSearchWithOffsets(body);
  const hits = findQueryWordMatches(normalizedBody.text, words);
  const spans = toHighlightSpans(normalizedBody, hits);
  const center = normalizedBody.at[match.start] ?? 0;
  const from = atCharacterBoundary(body, Math.max(0, center - CONTEXT_BEFORE_CHARS));
  const to = atCharacterBoundary(body, Math.min(body.length, from + SNIPPET_CHARS));
  const { line, marks } = joinWithMarks(body, from, to, spans);
  const lead = from > 0 ? ELLIPSIS : '';
  const first = spans.find(([start]) => start >= center) ?? spans[0] ?? [0, 0];
  return {
    text: `${lead}${line}${to < body.length ? ELLIPSIS : ''}`.toWellFormed(),
    marks: marks.map(([start, end]) => [start + lead.length, end + lead.length]),
    wd: joinWrappedLines(body, first[0], first[1]).line,
  };
}

export function highlightsIn(text: string, words: readonly QueryWord[]): SearchMarks {
  const normalizedBody = normalizeForSearchWithOffsets(text);
  return toHighlightSpans(normalizedBody, findQueryWordMatches(normalizedBody.text, words));
}

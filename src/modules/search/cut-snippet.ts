import { findWords, spansOf } from './find-words.ts';
import { foldText } from './fold.ts';
import type { QueryWord } from './parse-query.ts';
import type { SearchMarks } from './search.contract.ts';

const BEFORE = 24;
const LENGTH = 130;
const ELLIPSIS = '…';

/** A text in one line: what was marked stays marked. */
function oneLine(text: string, from: number, to: number, spans: readonly [number, number][]) {
  let line = '';
  const marks: SearchMarks = [];
  const inside = spans.filter(([start, end]) => start >= from && end <= to);
  let next = 0;
  let begun = 0;
  for (let at = from; at <= to; at += 1) {
    const span = inside[next];
    if (span && at === span[1]) {
      marks.push([begun, line.trimEnd().length]);
      next += 1;
    }
    if (at === to) break;
    const letter = text.charAt(at);
    const isSpace = /[\s\p{Cc}]/u.test(letter);
    if (isSpace && (line === '' || line.endsWith(' '))) continue;
    if (inside[next]?.[0] === at) begun = line.length;
    line += isSpace ? ' ' : letter;
  }
  return { line: line.trimEnd(), marks };
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
  const folded = foldText(body);
  const hits = findWords(folded.text, words);
  const spans = spansOf(folded, hits);
  const center = folded.at[best.start] ?? 0;
  const from = whole(body, Math.max(0, center - BEFORE));
  const to = whole(body, Math.min(body.length, from + LENGTH));
  const { line, marks } = oneLine(body, from, to, spans);
  const lead = from > 0 ? ELLIPSIS : '';
  const first = spans.find(([start]) => start >= center) ?? spans[0] ?? [0, 0];
  return {
    text: `${lead}${line}${to < body.length ? ELLIPSIS : ''}`.toWellFormed(),
    marks: marks.map(([start, end]) => [start + lead.length, end + lead.length]),
    wd: body.slice(first[0], first[1]).replace(/\s+/g, ' ').trim(),
  };
}

/** Where the words stand in a title or a description. */
export function marksIn(text: string, words: readonly QueryWord[]): SearchMarks {
  const folded = foldText(text);
  return spansOf(folded, findWords(folded.text, words));
}

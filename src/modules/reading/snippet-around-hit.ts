import { joinWrappedLines } from '#modules/conversion/join-wrapped-lines.ts';
import type { Span } from '#modules/text/match-text.contract.ts';

const CHARS_BEFORE = 16;
const CHARS_AFTER = 48;

export function snippetAroundHit(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - CHARS_BEFORE);
  const to = Math.min(text.length, end + CHARS_AFTER);
  const { line } = joinWrappedLines(text, from, to);
  return `${from > 0 ? '…' : ''}${line.toWellFormed()}${to < text.length ? '…' : ''}`;
}

import { joinLines } from '#modules/conversion/join-lines.ts';
import type { Span } from '#modules/text/match-text.contract.ts';

const BEFORE = 16;
const AFTER = 48;

/** A line around a hit, for lists. */
export function snippetOf(text: string, { start, end }: Span): string {
  const from = Math.max(0, start - BEFORE);
  const to = Math.min(text.length, end + AFTER);
  const { line } = joinLines(text, from, to);
  return `${from > 0 ? '…' : ''}${line.toWellFormed()}${to < text.length ? '…' : ''}`;
}

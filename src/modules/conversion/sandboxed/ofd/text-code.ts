import { parseNumberOr } from './geometry.ts';

/** A document could declare any number of repetitions. */
const MAX_REPETITIONS = 100_000;

/** Offsets between the characters of a TextCode, where "g 3 1.5" stands for "1.5 1.5 1.5". Null when absent. */
export function parseDeltas(text: string | undefined, maxCount = MAX_REPETITIONS): number[] | null {
  const parts = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) return null;
  const deltas: number[] = [];
  for (let at = 0; at < parts.length && deltas.length < maxCount; at++) {
    if (parts[at] !== 'g') deltas.push(parseNumberOr(parts[at], 0));
    else {
      const count = Math.min(maxCount - deltas.length, Math.max(0, Math.floor(parseNumberOr(parts[at + 1], 0))));
      const delta = parseNumberOr(parts[at + 2], 0);
      for (let index = 0; index < count; index++) deltas.push(delta);
      at += 2;
    }
  }
  return deltas;
}

/** The offset after a character; the last one also applies to the characters after it. */
export const deltaAfter = (deltas: number[], index: number): number => deltas[index] ?? deltas.at(-1) ?? 0;

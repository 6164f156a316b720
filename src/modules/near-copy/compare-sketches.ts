import type { CopyKind } from './near-copy.contract.ts';
import { SKETCH_SIZE } from './text-sketch.ts';

/** `contained`: the first text is in the second one; `contains`: the reverse. */
export type Similarity = { kind: CopyKind; share: number };

const MIN_EQUAL = 0.85;
const MIN_SIMILAR = 0.6;
const MIN_CONTAINED = 0.9;
/** Of two texts with the same parts and errors in both, neither contains the other. */
const MAX_CONTAINED_SIZE = 0.85;
/** With fewer compared grams the share is a matter of chance. */
const MIN_SAMPLE = 24;

/** A sketch of all grams ends nowhere; another one says nothing about hashes above its highest. */
const endOf = (sketch: Uint32Array): number =>
  sketch.length < SKETCH_SIZE ? Number.POSITIVE_INFINITY : (sketch.at(-1) ?? 0);

function countUpTo(sketch: Uint32Array, end: number): number {
  let count = 0;
  while (count < sketch.length && (sketch[count] ?? 0) <= end) count += 1;
  return count;
}

function countCommon(a: Uint32Array, b: Uint32Array, end: number): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [x = 0, y = 0] = [a[i], b[j]];
    if (x > end || y > end) break;
    if (x === y) common += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return common;
}

/** How much of two texts is the same, estimated from their sketches; null if it is little. */
export function compareTextSketches(a: Uint32Array, b: Uint32Array): Similarity | null {
  const end = Math.min(endOf(a), endOf(b));
  const [countA, countB, common] = [countUpTo(a, end), countUpTo(b, end), countCommon(a, b, end)];
  const jaccard = common / Math.max(1, countA + countB - common);
  if (Math.max(countA, countB) < MIN_SAMPLE) return null;
  if (jaccard >= MIN_EQUAL) return { kind: 'equal', share: jaccard };
  const [shareOfA, shareOfB] = [common / Math.max(1, countA), common / Math.max(1, countB)];
  const isPart = (count: number, share: number, whole: number) =>
    count >= MIN_SAMPLE && share >= MIN_CONTAINED && count <= whole * MAX_CONTAINED_SIZE;
  if (isPart(countA, shareOfA, countB)) return { kind: 'contained', share: shareOfA };
  if (isPart(countB, shareOfB, countA)) return { kind: 'contains', share: shareOfB };
  return jaccard >= MIN_SIMILAR ? { kind: 'similar', share: jaccard } : null;
}

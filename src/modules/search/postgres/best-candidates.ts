import type { Candidate } from '../search-engine.ts';

const isWorse = (one: Candidate, other: Candidate) =>
  one.score < other.score || (one.score === other.score && one.id < other.id);

/** Keeps the best of many: a heap with the worst of them on top. */
export class BestCandidates {
  readonly #most: number;
  readonly #heap: Candidate[] = [];
  constructor(most: number) {
    this.#most = most;
  }
  /** What a score must reach to be among them. */
  get least(): number {
    return this.#heap.length < this.#most ? Number.NEGATIVE_INFINITY : (this.#heap[0]?.score ?? 0);
  }
  add(id: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push({ id, score });
      this.#rise(heap.length - 1);
      return;
    }
    const [worst] = heap;
    if (!worst || score < worst.score || (score === worst.score && id < worst.id)) return;
    heap[0] = { id, score };
    this.#sink();
  }
  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, above)) return;
      at = above;
    }
  }
  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [one, other] = [heap[left], heap[right]];
      if (!one) return;
      const worse = other && isWorse(other, one) ? right : left;
      if (!this.#swapIfWorse(worse, at)) return;
      at = worse;
    }
  }
  /** Whether the lower one was worse and went up. */
  #swapIfWorse(lower: number, upper: number): boolean {
    const [one, other] = [this.#heap[lower], this.#heap[upper]];
    if (!one || !other || !isWorse(one, other)) return false;
    this.#heap[lower] = other;
    this.#heap[upper] = one;
    return true;
  }
  /** The best first. */
  sorted(): Candidate[] {
    return this.#heap.toSorted((one, other) => (isWorse(one, other) ? 1 : -1));
  }
}

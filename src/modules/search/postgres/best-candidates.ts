import type { Candidate } from '../search-engine.ts';

const isWorse = (one: Candidate, other: Candidate) =>
  one.score < other.score || (one.score === other.score && one.id < other.id);

/** Bounded min-heap: keeps the candidates with the highest scores, the worst of them at the root. */
export class BestCandidates {
  readonly #capacity: number;
  readonly #heap: Candidate[] = [];
  constructor(capacity: number) {
    this.#capacity = capacity;
  }
  /** The lowest score that can still enter the heap. */
  get minScore(): number {
    return this.#heap.length < this.#capacity ? Number.NEGATIVE_INFINITY : (this.#heap[0]?.score ?? 0);
  }
  add(id: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#capacity) {
      heap.push({ id, score });
      this.#siftUp(heap.length - 1);
      return;
    }
    const [worst] = heap;
    if (!worst || score < worst.score || (score === worst.score && id < worst.id)) return;
    heap[0] = { id, score };
    this.#siftDown();
  }
  #siftUp(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, parent)) return;
      at = parent;
    }
  }
  #siftDown(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [one, other] = [heap[left], heap[right]];
      if (!one) return;
      const worseChild = other && isWorse(other, one) ? right : left;
      if (!this.#swapIfWorse(worseChild, at)) return;
      at = worseChild;
    }
  }
  /** Returns whether the two were swapped. */
  #swapIfWorse(lower: number, upper: number): boolean {
    const [one, other] = [this.#heap[lower], this.#heap[upper]];
    if (!one || !other || !isWorse(one, other)) return false;
    this.#heap[lower] = other;
    this.#heap[upper] = one;
    return true;
  }
  sorted(): Candidate[] {
    return this.#heap.toSorted((one, other) => (isWorse(one, other) ? 1 : -1));
  }
}

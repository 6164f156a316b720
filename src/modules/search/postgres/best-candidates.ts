import type { Candidate } from '../search-engine.ts';

const isWorse = (a: Candidate, b: Candidate) => a.score < b.score || (a.score === b.score && a.id < b.id);

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
      const [leftChild, rightChild] = [heap[left], heap[right]];
      if (!leftChild) return;
      const worseChild = rightChild && isWorse(rightChild, leftChild) ? right : left;
      if (!this.#swapIfWorse(worseChild, at)) return;
      at = worseChild;
    }
  }
  /** Returns whether the two were swapped. */
  #swapIfWorse(lower: number, upper: number): boolean {
    const [lowerCandidate, upperCandidate] = [this.#heap[lower], this.#heap[upper]];
    if (!lowerCandidate || !upperCandidate || !isWorse(lowerCandidate, upperCandidate)) return false;
    this.#heap[lower] = upperCandidate;
    this.#heap[upper] = lowerCandidate;
    return true;
  }
  sorted(): Candidate[] {
    return this.#heap.toSorted((a, b) => (isWorse(a, b) ? 1 : -1));
  }
}

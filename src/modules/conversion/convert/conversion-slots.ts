import { availableParallelism, totalmem } from 'node:os';
import type { FileFormat, QueueLevel } from '../conversion.contract.ts';
import type { ConversionPool } from '../conversion-queue.ts';
import type { Attempt } from './attempt.ts';

const SMALL_MEMORY_BYTES = 2 * 1024 ** 3;

export type Conversion = {
  renditionId: number;
  pool: ConversionPool;
  /** A small file that was started although all slots are occupied. */
  isAdditional: boolean;
  level: QueueLevel;
  format: FileFormat;
  /** 0 for the smallest files. */
  sizeClass: number;
  attempt: Attempt;
  sliceStart: number;
  /** A slow database must not start a second check. */
  isSliceCheckRunning: boolean;
  abort(reason: Error): void;
};

/** Maximum number of concurrent conversions in this process. */
export const poolSizes: Record<ConversionPool, number> = {
  foreground: availableParallelism(),
  background: totalmem() < SMALL_MEMORY_BYTES ? 1 : availableParallelism(),
};

/** One background slot stays free for other levels than 2 if there are at least two. */
const MAX_LEVEL_2_CONVERSIONS = Math.max(1, poolSizes.background - 1);

/** The running conversions of a process and the slots that they occupy. */
export class ConversionSlots {
  readonly #occupations = new Map<Conversion, Promise<void>>();
  #reservedPool: ConversionPool | null = null;

  get conversions(): Conversion[] {
    return [...this.#occupations.keys()];
  }

  inPool(pool: ConversionPool): Conversion[] {
    return this.conversions.filter((conversion) => conversion.pool === pool);
  }

  has(conversion: Conversion): boolean {
    return this.#occupations.has(conversion);
  }

  /** Occupies a slot until the work ends, then calls `onFree`. */
  occupy(conversion: Conversion, work: Promise<void>, onFree: () => void): void {
    const occupation = work.finally(() => {
      this.#occupations.delete(conversion);
      onFree();
    });
    this.#occupations.set(conversion, occupation);
  }

  /** Reserves a slot, because a running conversion may move to the background while the database answers. */
  async withReservation<T>(pool: ConversionPool, claim: () => Promise<T>): Promise<T> {
    this.#reservedPool = pool;
    try {
      return await claim();
    } finally {
      this.#reservedPool = null;
    }
  }

  isFree(pool: ConversionPool): boolean {
    const occupiedCount = this.inPool(pool).length - this.#countAboveLimit(pool);
    return occupiedCount + (this.isReserved(pool) ? 1 : 0) < poolSizes[pool];
  }

  isReserved(pool: ConversionPool): boolean {
    return this.#reservedPool === pool;
  }

  /** Whether one small file may start in addition to larger ones that occupy all slots. */
  get canStartAdditionalSmallFile(): boolean {
    return (
      !this.isFree('foreground') &&
      !this.isFree('background') &&
      this.inPool('foreground').some(({ sizeClass }) => sizeClass > 0) &&
      !this.conversions.some(({ isAdditional }) => isAdditional)
    );
  }

  /** Documents of level 2 may exceed their limit by one while a processor is idle. */
  get maxBackgroundLevel(): QueueLevel {
    const isProcessorIdle = poolSizes.background > 1 && this.#occupations.size < availableParallelism();
    const limit = MAX_LEVEL_2_CONVERSIONS + (isProcessorIdle ? 1 : 0);
    return this.#countLevel2() < limit ? 2 : 1;
  }

  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#occupations.values());
  }

  /** The additional small file and the one conversion of level 2 above its limit take no slot from the others. */
  #countAboveLimit(pool: ConversionPool): number {
    const isLevel2AboveLimit = pool === 'background' && this.#countLevel2() > MAX_LEVEL_2_CONVERSIONS;
    return this.inPool(pool).filter(({ isAdditional }) => isAdditional).length + (isLevel2AboveLimit ? 1 : 0);
  }

  #countLevel2(): number {
    return this.inPool('background').filter(({ level }) => level === 2).length;
  }
}

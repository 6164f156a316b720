import type { Context } from '#platform/server/context.ts';
import { type doOtherConversionsWait, doSmallerFilesWait } from '../conversion-queue.ts';
import { TimeSliceExceeded } from './conversion-errors.ts';
import type { Conversion, ConversionSlots } from './conversion-slots.ts';
import { sliceSeconds } from './time-slice.ts';

/** A user waits for the first page of a document; other pages must not slow down page requests. */
export const NICE_VALUES = { foreground: 0, background: 7 } as const;

type Options = {
  ctx: Context;
  slots: ConversionSlots;
  /** Aborts when the worker stops: then conversions keep their slots and levels. */
  signal: AbortSignal;
  doOthersWait: typeof doOtherConversionsWait;
  /** Called when a slot of the foreground became free. */
  onFree: () => void;
};

/** Makes running conversions give up their slots for documents that wait. */
export class SlotSupervisor {
  readonly #options: Options;
  #isMakingRoom = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Called at an interval. */
  check(): void {
    const { ctx, slots } = this.#options;
    for (const conversion of slots.conversions) {
      if (conversion.isSliceCheckRunning) continue;
      conversion.isSliceCheckRunning = true;
      this.#watchSlice(conversion)
        .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not check a time slice'))
        .finally(() => {
          conversion.isSliceCheckRunning = false;
        });
    }
    if (this.#isMakingRoom) return;
    this.#isMakingRoom = true;
    this.#makeRoom()
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'could not check whether smaller files wait'))
      .finally(() => {
        this.#isMakingRoom = false;
      });
  }

  async #watchSlice(conversion: Conversion): Promise<void> {
    const { ctx, slots, signal, doOthersWait } = this.#options;
    const { attempt, level, format } = conversion;
    const { workload, isReadable } = attempt;
    if (isReadable && workload.nice < NICE_VALUES.background) await workload.setNice(NICE_VALUES.background);
    const sliceLimit = sliceSeconds({ level, format, isReadable });
    const isExceeded = workload.cpuSeconds - conversion.sliceStart > sliceLimit;
    if (!isExceeded || attempt.isStopRequested || !(await doOthersWait(ctx, conversion)) || signal.aborted) return;
    if (conversion.pool === 'foreground' && slots.isFree('background')) await this.#moveToBackground(conversion);
    else if (isReadable) attempt.isStopRequested = true;
    else conversion.abort(new TimeSliceExceeded());
  }

  /**
   * Moves one conversion out of a full foreground before the end of its slice, without losing work: one that is larger
   * than a file that waits, or one whose first pages can be read already while any document waits.
   */
  async #makeRoom(): Promise<void> {
    const { ctx, slots, signal, doOthersWait } = this.#options;
    for (const conversion of slots.inPool('foreground')) {
      if (signal.aborted || slots.isFree('foreground') || slots.isReserved('foreground') || !slots.isFree('background'))
        return;
      const { isReadable, isStopRequested } = conversion.attempt;
      if (isStopRequested) continue;
      const isRoomNeeded = isReadable
        ? await doOthersWait(ctx, conversion)
        : await doSmallerFilesWait(ctx, conversion.renditionId);
      if (isRoomNeeded && slots.has(conversion) && !signal.aborted) return this.#moveToBackground(conversion);
    }
  }

  async #moveToBackground(conversion: Conversion): Promise<void> {
    const { workload } = conversion.attempt;
    conversion.pool = 'background';
    conversion.isAdditional = false;
    conversion.level = conversion.level === 2 ? 2 : 1;
    conversion.sliceStart = workload.cpuSeconds;
    this.#options.onFree();
    await workload.setNice(NICE_VALUES.background);
  }
}

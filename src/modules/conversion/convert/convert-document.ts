import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { INTERRUPTED_REASON } from '#platform/server/jobs/job-failure.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { diskSpace } from '#platform/server/storage/disk-space.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import type { QueueLevel } from '../conversion.contract.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition, type Lease, LeaseLost, pipelineVersion, type RenditionChange } from '../rendition.ts';
import { originalKey } from '../rendition-keys.ts';
import { type Attempt, MAX_ATTEMPTS } from './attempt.ts';
import {
  ConversionStorageFull,
  ConversionTimeout,
  PermanentConversionError,
  ProgramMissing,
  TimeSliceExceeded,
} from './conversion-errors.ts';
import { convertToPages } from './convert-to-pages.ts';
import { convertToSections, isSectionFormat } from './convert-to-sections.ts';
import { StorageUnavailable } from './converter-output-store.ts';
import { checkAndUnlockInput } from './decrypt-file.ts';
import { conversionLimits } from './limits.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

/** An interruption may have any cause, but a document that kills its worker must fail in the end. */
const MAX_INTERRUPTIONS = 15;
const RETRY_MS = 5_000;
const STORAGE_RETRY_MS = 30_000;
const RELEASE_RETRY_MS = 1_000;
const MIN_FREE_BYTES = 1024 * 1024;
const MAX_REASON_LENGTH = 500;

/** Converts a leased document, or resumes an earlier attempt, and releases the lease. */
export async function convertDocument(
  ctx: Context,
  lease: Lease,
  attempt: Attempt,
  level: () => QueueLevel,
): Promise<void> {
  const { rendition } = lease;
  if (isFinished(rendition)) return lease.release(FINISHED_CHANGE);
  if (rendition.interruptions > MAX_INTERRUPTIONS) return lease.release(changeToFailed(INTERRUPTED_REASON));
  const change = await runConversionSteps(ctx, lease, attempt).then(
    (isComplete) => (isComplete ? FINISHED_CHANGE : changeToRequeued({ level: Math.max(1, level()) })),
    (error: unknown) => {
      ctx.log.debug({ err: error, rendition: rendition.id }, 'conversion attempt ended');
      return classifyFailure(ctx, lease, error, level());
    },
  );
  await releaseLease(ctx, lease, change, attempt.signal);
}

/** A database with a full disk cannot store the outcome either: retries until it accepts writes. */
async function releaseLease(ctx: Context, lease: Lease, change: RenditionChange, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await lease.release(change);
    } catch (error) {
      if (!isOutOfSpace(error) || signal.aborted) throw error;
      ctx.log.warn({ err: error, rendition: lease.rendition.id }, 'could not store the outcome of a conversion');
    }
    // An abort ends the wait; the next write error is then thrown.
    await sleep(RELEASE_RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

const isFinished = ({ state, version, format }: Lease['rendition']) =>
  state === 'failed' || (state === 'ready' && version >= pipelineVersion(format));

const FINISHED_CHANGE: RenditionChange = {
  convert_after: null,
  queue_level: 0,
  interruptions: 0,
  skip_pages: [],
  is_urgent: false,
};

const changeToFailed = (reason: string): RenditionChange => ({
  ...FINISHED_CHANGE,
  state: 'failed',
  reason: readableReason(reason),
});

/** Users read the reason: an error message that is not Chinese is replaced by a general one. */
const readableReason = (reason: string) =>
  /\p{Script=Han}/u.test(reason) ? reason.slice(0, MAX_REASON_LENGTH) : '转换程序出错，请稍后重试';

type Requeue = { level: number; afterMs?: number; attempts?: number; skip?: number[] };

const changeToRequeued = ({ level, afterMs = 0, attempts, skip }: Requeue): RenditionChange => ({
  // A document without a lease must not stay in the state "converting".
  state: sql`case when ${renditions.state} = 'converting' then 'waiting' else ${renditions.state} end`,
  convert_after: sql`now() + make_interval(secs => ${afterMs / 1000})`,
  queue_level: Math.min(2, level) as QueueLevel,
  ...(attempts && { attempts }),
  ...(skip && { skip_pages: skip }),
});

/** Returns true when every page is stored, false when it stopped because others wait. */
async function runConversionSteps(ctx: Context, lease: Lease, attempt: Attempt): Promise<boolean> {
  const { rendition } = lease;
  const isFirstRun = rendition.state !== 'readable';
  await lease.change({
    ...(isFirstRun && { state: 'converting' as const }),
    reason: '',
    attempts: Math.max(1, rendition.attempts),
  });
  const limits = await conversionLimits(ctx);
  return withFullDiskDetection(ctx, originalKey(rendition.hash), async (workspace) => {
    // Mutates `attempt` instead of copying it: the dispatcher shares its flags with the steps.
    const task = Object.assign(attempt, { workspace, limits });
    if (isFirstRun) workspace.input = await checkAndUnlockInput(task, rendition.format);
    if (!isSectionFormat(rendition.format)) return convertToPages(ctx, lease, task);
    await convertToSections(ctx, lease, task);
    return true;
  });
}

/** Any error in the workspace, also of a sandboxed program, becomes `ConversionStorageFull` when the disk is full. */
const withFullDiskDetection = <T>(ctx: Context, key: string, work: (workspace: Workspace) => Promise<T>) =>
  withWorkspace(ctx, key, async (workspace) => {
    try {
      return await work(workspace);
    } catch (error) {
      const { free } = await diskSpace(workspace.folder);
      const isStopping = error instanceof LeaseLost || error instanceof JobsStopping;
      throw free < MIN_FREE_BYTES && !isStopping ? new ConversionStorageFull(error) : error;
    }
  });

/** Decides whether a failure is final, waits, or is retried. */
async function classifyFailure(
  ctx: Context,
  lease: Lease,
  error: unknown,
  level: QueueLevel,
): Promise<RenditionChange> {
  const { attempts } = lease.rendition;
  if (error instanceof LeaseLost) return {};
  if (error instanceof JobsStopping) return changeToRequeued({ level });
  if (error instanceof ConversionStorageFull || isOutOfSpace(error)) {
    const { message: reason } = error instanceof ConversionStorageFull ? error : new ConversionStorageFull(error);
    return { ...changeToRequeued({ level, afterMs: STORAGE_RETRY_MS }), reason };
  }
  if (error instanceof TimeSliceExceeded) return changeToRequeued({ level: level + 1 });
  if (error instanceof StorageUnavailable) {
    ctx.log.warn({ err: error, rendition: lease.rendition.id }, 'a conversion waits for the storage');
    return changeToRequeued({ level, afterMs: STORAGE_RETRY_MS });
  }
  if (error instanceof PermanentConversionError) return changeToFailed(error.message);
  if (error instanceof ProgramMissing) return { ...FINISHED_CHANGE, state: 'waiting', reason: error.message };
  if (error instanceof ConversionTimeout)
    return (await hasProgressed(ctx, lease))
      ? changeToRequeued({ level: 2, skip: error.pages })
      : changeToFailed(error.message);
  ctx.log.warn({ err: error, rendition: lease.rendition.id }, 'conversion failed');
  const attemptCount = Math.max(1, attempts);
  if (attemptCount >= MAX_ATTEMPTS) return changeToFailed(error instanceof Error ? error.message : '');
  return changeToRequeued({ level, afterMs: RETRY_MS, attempts: attemptCount + 1 });
}

/** Whether this attempt stored pages that the next one can skip. */
async function hasProgressed(ctx: Context, { rendition }: Lease): Promise<boolean> {
  const current = await findRendition(ctx, rendition.id);
  return current?.state === 'readable' && current.ready_pages > rendition.ready_pages;
}

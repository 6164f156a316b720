import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { INTERRUPTED } from '#platform/server/jobs/job-failure.ts';
import { JobsStopping } from '#platform/server/jobs/jobs.ts';
import { diskSpace } from '#platform/server/storage/disk-space.ts';
import { isOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import type { QueueLevel } from '../conversion.contract.ts';
import { renditions } from '../rendition.table.ts';
import { findRendition, type Lease, LeaseTaken, pipelineVersion } from '../rendition.ts';
import { originalKey } from '../rendition-keys.ts';
import type { Attempt } from './attempt.ts';
import {
  ConversionTimeout,
  PermanentConversionError,
  ProgramMissing,
  SliceUsedUp,
  StorageFull,
} from './conversion-errors.ts';
import { convertToPages } from './convert-to-pages.ts';
import { convertToSections, isSections } from './convert-to-sections.ts';
import { openContainer } from './decrypt-file.ts';
import { conversionLimits } from './limits.ts';
import { StoringFailed } from './store-pages.ts';
import { type Workspace, withWorkspace } from './workspace.ts';

const MAX_ATTEMPTS = 3;
/** A machine that is switched off says nothing about a document; one that kills its worker must end. */
const MAX_INTERRUPTIONS = 15;
const RETRY_MS = 5_000;
const STORAGE_RETRY_MS = 30_000;
const RELEASE_RETRY_MS = 1_000;
const MIN_FREE_BYTES = 1024 * 1024;
const MAX_REASON_LENGTH = 500;

type Change = NonNullable<Parameters<Lease['release']>[0]>;

/** Converts a leased document, or goes on where an earlier attempt stopped, and releases the lease. */
export async function convertDocument(
  ctx: Context,
  lease: Lease,
  attempt: Attempt,
  level: () => QueueLevel,
): Promise<void> {
  const { content } = lease;
  if (isFinished(content)) return lease.release(FINISHED);
  if (content.interruptions > MAX_INTERRUPTIONS) return lease.release(failed(INTERRUPTED));
  const change = await runSteps(ctx, lease, attempt).then(
    (isComplete) => (isComplete ? FINISHED : requeued({ level: Math.max(1, level()) })),
    (error: unknown) => {
      ctx.log.debug({ err: error, content: content.id }, 'conversion attempt ended');
      return classifyFailure(ctx, lease, error, level());
    },
  );
  await releaseLease(ctx, lease, change, attempt.signal);
}

/** A database whose disk is full cannot store the outcome either: waits until it accepts writes. */
async function releaseLease(ctx: Context, lease: Lease, change: Change, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await lease.release(change);
    } catch (error) {
      if (!isOutOfSpace(error) || signal.aborted) throw error;
      ctx.log.warn({ err: error, content: lease.content.id }, 'conversion outcome not stored');
    }
    // Stopping ends the wait; the next attempt to write then throws.
    await sleep(RELEASE_RETRY_MS, undefined, { signal }).catch(() => {});
  }
}

const isFinished = ({ state, version, format }: Lease['content']) =>
  state === 'failed' || (state === 'ready' && version >= pipelineVersion(format));

const FINISHED: Change = {
  convert_after: null,
  queue_level: 0,
  interruptions: 0,
  skip_pages: [],
  is_urgent: false,
};

const failed = (reason: string): Change => ({
  ...FINISHED,
  state: 'failed',
  reason: readableReason(reason),
});

/** Reasons are for people: one that is not written in their language is put into general words. */
const readableReason = (reason: string) =>
  /\p{Script=Han}/u.test(reason) ? reason.slice(0, MAX_REASON_LENGTH) : '转换程序出错，请稍后重试';

type Requeue = { level: number; afterMs?: number; attempts?: number; skip?: number[] };

const requeued = ({ level, afterMs = 0, attempts, skip }: Requeue): Change => ({
  // It waits from now on, and says so.
  state: sql`case when ${renditions.state} = 'converting' then 'waiting' else ${renditions.state} end`,
  convert_after: sql`now() + make_interval(secs => ${afterMs / 1000})`,
  queue_level: Math.min(2, level) as QueueLevel,
  ...(attempts && { attempts }),
  ...(skip && { skip_pages: skip }),
});

/** True when every page is stored, false when it stopped because others wait. */
async function runSteps(ctx: Context, lease: Lease, attempt: Attempt): Promise<boolean> {
  const { content } = lease;
  const isBeginning = content.state !== 'readable';
  await lease.change({
    ...(isBeginning && { state: 'converting' as const }),
    reason: '',
    attempts: Math.max(1, content.attempts),
  });
  const limits = await conversionLimits(ctx);
  return withRoom(ctx, originalKey(content.hash), async (workspace) => {
    // The same object: the steps and the dispatcher share its flags.
    const task = Object.assign(attempt, { workspace, limits });
    if (isBeginning) workspace.input = await openContainer(task, content.format);
    if (!isSections(content.format)) return convertToPages(ctx, lease, task);
    await convertToSections(ctx, lease, task);
    return true;
  });
}

/** A workspace; what fails in it because its disk is full says so, also a program in the sandbox. */
const withRoom = <T>(ctx: Context, key: string, work: (workspace: Workspace) => Promise<T>) =>
  withWorkspace(ctx, key, async (workspace) => {
    try {
      return await work(workspace);
    } catch (error) {
      const { free } = await diskSpace(workspace.folder);
      const isOver = error instanceof LeaseTaken || error instanceof JobsStopping;
      throw free < MIN_FREE_BYTES && !isOver ? new StorageFull(error) : error;
    }
  });

/** What a failure means for the row: the end, a wait, or another attempt. */
async function classifyFailure(ctx: Context, lease: Lease, error: unknown, level: QueueLevel): Promise<Change> {
  const { attempts } = lease.content;
  if (error instanceof LeaseTaken) return {};
  if (error instanceof JobsStopping) return requeued({ level });
  if (error instanceof StorageFull || isOutOfSpace(error)) {
    const { message: reason } = error instanceof StorageFull ? error : new StorageFull(error);
    return { ...requeued({ level, afterMs: STORAGE_RETRY_MS }), reason };
  }
  if (error instanceof SliceUsedUp) return requeued({ level: level + 1 });
  if (error instanceof StoringFailed) {
    ctx.log.warn({ err: error, content: lease.content.id }, 'a conversion waits for the storage');
    return requeued({ level, afterMs: STORAGE_RETRY_MS });
  }
  if (error instanceof PermanentConversionError) return failed(error.message);
  if (error instanceof ProgramMissing) return { ...FINISHED, state: 'waiting', reason: error.message };
  if (error instanceof ConversionTimeout)
    return (await hasProgressed(ctx, lease)) ? requeued({ level: 2, skip: error.pages }) : failed(error.message);
  ctx.log.warn({ err: error, content: lease.content.id }, 'conversion failed');
  const tried = Math.max(1, attempts);
  if (tried >= MAX_ATTEMPTS) return failed(error instanceof Error ? error.message : '');
  return requeued({ level, afterMs: RETRY_MS, attempts: tried + 1 });
}

/** Whether this attempt stored pages that the next one need not draw. */
async function hasProgressed(ctx: Context, { content }: Lease): Promise<boolean> {
  const current = await findRendition(ctx, content.id);
  return current?.state === 'readable' && current.ready_pages > content.ready_pages;
}

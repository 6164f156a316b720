import { availableParallelism } from 'node:os';
import { and, eq, ne } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '#platform/server/context.ts';
import { INTERRUPTED } from '#platform/server/job-failure.ts';
import { defineJob, JobsStopping } from '#platform/server/jobs.ts';
import { contents } from '../content.table.ts';
import { findContent, type Lease, LeaseTaken, PIPELINE_VERSION, takeLease } from '../content.ts';
import { originalKey } from '../content-keys.ts';
import { queuePriority } from '../queue-priority.ts';
import { checkContainer } from './check-container.ts';
import { Hopeless, OutOfTime, ProgramMissing } from './failures.ts';
import type { Lane } from './lane.ts';
import { makePages } from './make-pages.ts';
import { isSections, makeSections } from './make-sections.ts';
import { StoringFailed } from './store-pages.ts';
import { doOthersWait, watchTurn } from './turn.ts';
import { withWorkspace } from './workspace.ts';

const input = z.object({
  id: z.int(),
  /** Pages an earlier attempt hung on. */
  skip: z.optional(z.array(z.int())),
  /** How often all its tries ended with the process that made them. */
  interrupted: z.optional(z.int()),
});
type Input = z.infer<typeof input>;
type Attempt = { signal: AbortSignal; attempt: number };

/** Work on a long document before others get their turn. */
const SLICE_MS = 20_000;
const AGAIN_MS = 10_000;
const STORAGE_AGAIN_MS = 30_000;
const MAX_REASON = 500;
const MAX_INTERRUPTED = 5;

/** Converts a content, or goes on where an earlier attempt stopped. */
export const convertContent = defineJob({
  name: 'convert-content',
  input,
  retries: 2,
  timeout: 900,
  concurrency: availableParallelism(),
  run: (ctx: Context, input, attempt) => convert(ctx, input, attempt, 'fast'),
  giveUp: (ctx: Context, input, reason) => giveUp(ctx, input, reason, 'fast'),
});

/** The same with more time, one at a time, giving way to everything else. */
export const convertSlowly = defineJob({
  name: 'convert-slowly',
  input,
  retries: 1,
  timeout: 3_600,
  concurrency: 1,
  run: (ctx: Context, input, attempt) => convert(ctx, input, attempt, 'slow'),
  giveUp: (ctx: Context, input, reason) => giveUp(ctx, input, reason, 'slow'),
});

async function giveUp(ctx: Context, input: Input, reason: string, lane: Lane): Promise<void> {
  const { id, interrupted = 0 } = input;
  // Machines that are switched off say nothing about a document; one that takes them down itself must end.
  if (reason === INTERRUPTED && interrupted < MAX_INTERRUPTED)
    return again(ctx, { ...input, interrupted: interrupted + 1 }, lane, AGAIN_MS);
  await ctx.db
    .update(contents)
    .set({ state: 'failed', reason: shown(reason) })
    // A later attempt may have made it.
    .where(and(eq(contents.id, id), ne(contents.state, 'ready')));
}

/** Reasons are for people: what is not written in their language is put into general words. */
const shown = (reason: string) =>
  /\p{Script=Han}/u.test(reason) ? reason.slice(0, MAX_REASON) : '转换程序出错，请稍后重试';

async function convert(
  ctx: Context,
  input: Input,
  { signal, attempt }: Attempt,
  lane: Lane,
): Promise<void> {
  const known = await findContent(ctx, input.id);
  if (!known || isFinished(known)) return;
  const ours = new AbortController();
  const lease = await takeLease(ctx, input.id, () => ours.abort(new LeaseTaken()));
  // Another attempt is at it. Should it die, its job is handed on; this one looks again later.
  if (!lease) return again(ctx, input, lane, AGAIN_MS);
  // Finished by another while this one waited.
  if (isFinished(lease.content)) return lease.release();
  const either = AbortSignal.any([signal, ours.signal]);
  const turn = watchTurn(ctx, lease.content, () => {
    if (lane === 'fast') ours.abort(new OutOfTime());
  });
  // Its turn to show something was an earlier one.
  if (lease.content.state === 'readable') turn.stop();
  try {
    const isComplete = await attemptOnce(ctx, lease, { input, attempt, lane, signal: either });
    turn.shown();
    if (!isComplete) await again(ctx, input, lane, 0);
  } catch (error) {
    await judge(ctx, lease, { input, lane, error });
  } finally {
    turn.stop();
    await lease.release();
  }
}

const isFinished = ({ state, version }: { state: string; version: number }) =>
  state === 'failed' || (state === 'ready' && version >= PIPELINE_VERSION);

/** True when everything is there, false when it stopped so that others get their turn. */
async function attemptOnce(
  ctx: Context,
  lease: Lease,
  { input, attempt, lane, signal }: { input: Input; lane: Lane } & Attempt,
): Promise<boolean> {
  const { content } = lease;
  const isBeginning = content.state !== 'readable';
  await lease.change({
    ...(isBeginning && { state: 'converting' as const, reason: '' }),
    attempts: lane === 'fast' ? attempt : attempt + 1,
  });
  const startedAt = Date.now();
  return withWorkspace(ctx, originalKey(content.hash), async (workspace) => {
    if (isBeginning) await checkContainer(workspace.input, content.format);
    const task = { workspace, lane, signal };
    if (isSections(content.format)) {
      await makeSections(ctx, lease, task);
      return true;
    }
    return makePages(ctx, lease, {
      ...task,
      skip: input.skip ?? [],
      shouldYield: async () => Date.now() - startedAt > SLICE_MS && (await doOthersWait(ctx)),
    });
  });
}

/** Decides what a failure means: the end, another lane, a pause, or one more attempt. */
async function judge(
  ctx: Context,
  lease: Lease,
  { input, lane, error }: { input: Input; lane: Lane; error: unknown },
): Promise<void> {
  if (error instanceof LeaseTaken) return;
  // Another process, or this one when it is back, goes on where it stopped.
  if (error instanceof JobsStopping) return again(ctx, input, lane, 0);
  if (error instanceof Hopeless) {
    await lease.change({ state: 'failed', reason: shown(error.message) });
  } else if (error instanceof ProgramMissing) {
    await lease.change({ state: 'waiting', reason: error.message });
  } else if (error instanceof OutOfTime && lane === 'fast') {
    await ctx.jobs.send(convertSlowly, allSkipped(input, error), { key: `${input.id}:slow` });
  } else if (error instanceof OutOfTime && (await hasGained(ctx, lease))) {
    // However long it is, it is nearer to its end than before.
    await again(ctx, allSkipped(input, error), lane, 0);
  } else if (error instanceof StoringFailed) {
    await again(ctx, input, lane, STORAGE_AGAIN_MS);
  } else throw error;
}

const allSkipped = (input: Input, { pages }: OutOfTime): Input => ({
  ...input,
  skip: [...new Set([...(input.skip ?? []), ...pages])],
});

/** Whether this attempt made pages that the next one need not make. */
async function hasGained(ctx: Context, { content }: Lease): Promise<boolean> {
  const now = await findContent(ctx, content.id);
  return now?.state === 'readable' && now.ready_pages > content.ready_pages;
}

async function again(ctx: Context, input: Input, lane: Lane, afterMs: number): Promise<void> {
  await ctx.jobs.send(lane === 'fast' ? convertContent : convertSlowly, input, {
    key: `${input.id}:again`,
    startAfter: new Date(Date.now() + afterMs),
    priority: await queuePriority(ctx, input.id),
  });
}

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import type { Attempt } from './convert/attempt.ts';
import { convertDocument } from './convert/convert-document.ts';
import { detectFormat, documentExtension } from './detect-format.ts';
import { registerRendition } from './register-rendition.ts';
import { findRendition, type Rendition, takeLease } from './rendition.ts';
import { originalKey } from './rendition-keys.ts';

/** Folder of real documents beside the checkout; it may be missing. */
export const corpusFolder = path.join(projectRoot, '../shared/corpus');
export const hasCorpus = existsSync(corpusFolder);

/** A worker renews its leases every few seconds, so no change for this long means that no conversion runs. */
const MAX_TIME_WITHOUT_PROGRESS_MS = 180_000;
const POLL_MS = 100;

/** Stores a file like an upload and queues its conversion. */
export async function addRendition(ctx: Context, name: string, bytes: Buffer): Promise<Rendition> {
  const source = {
    size: bytes.length,
    read: async (start: number, length: number) => bytes.subarray(start, start + length),
  };
  const format = await detectFormat(source, documentExtension(name));
  const hash = createHash('sha256').update(bytes).digest('hex');
  await ctx.storage.put(originalKey(hash), bytes);
  return registerRendition(ctx, { hash, format, size: bytes.length });
}

export const addCorpusFile = async (ctx: Context, file: string) =>
  addRendition(ctx, path.basename(file), await readFile(path.join(corpusFolder, file)));

/** Waits until a rendition is ready or has failed and its documents follow, as long as any conversion makes progress. */
export async function waitForRendition(ctx: Context, id: number): Promise<Rendition> {
  let lastProgress = '';
  for (let deadline = 0; ; ) {
    const rendition = await findRendition(ctx, id);
    if (rendition && (rendition.state === 'ready' || rendition.state === 'failed')) {
      await waitForEventDelivery(ctx);
      return rendition;
    }
    const progress = await readProgress(ctx);
    if (progress !== lastProgress) deadline = Date.now() + MAX_TIME_WITHOUT_PROGRESS_MS;
    lastProgress = progress;
    if (Date.now() > deadline) throw new Error(`rendition ${id} is still ${rendition?.state}: ${rendition?.reason}`);
    await sleep(POLL_MS);
  }
}

/** A document may wait for others, so the progress of all documents counts. */
async function readProgress(ctx: Context): Promise<string> {
  const { rows } = await ctx.db.execute(
    `select max(claimed_at), max(lease_until), sum(ready_pages), max(updated_at) from renditions`,
  );
  return JSON.stringify(rows);
}

/**
 * Runs one attempt like a worker, without a dispatcher; `onStart` receives the attempt that a dispatcher would
 * supervise.
 */
export async function convertOnce(
  ctx: Context,
  id: number,
  signal: AbortSignal = new AbortController().signal,
  onStart: (attempt: Attempt) => void = () => {},
): Promise<void> {
  const lease = await takeLease(ctx, id, () => {});
  if (!lease) throw new Error(`rendition ${id} is leased`);
  const isReadable = lease.rendition.state === 'readable';
  const attempt = { workload: new Workload(0), signal, isReadable, isStopRequested: false };
  onStart(attempt);
  await convertDocument(ctx, lease, attempt, () => lease.rendition.queue_level);
}

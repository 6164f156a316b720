import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '#platform/server/config.ts';
import type { Context } from '#platform/server/context.ts';
import { Workload } from '#platform/server/sandbox/workload.ts';
import type { Attempt } from './convert/attempt.ts';
import { convertDocument } from './convert/convert-document.ts';
import { detectFormat, documentExtension } from './detect-format.ts';
import { registerRendition } from './register-rendition.ts';
import { findRendition, type Rendition, takeLease } from './rendition.ts';
import { originalKey } from './rendition-keys.ts';

/** Real documents, beside the checkout where there are any. */
export const corpus = path.join(projectRoot, '../shared/corpus');
export const hasCorpus = existsSync(corpus);

/** A worker renews the lease of what it converts every few seconds. */
const NO_PROGRESS_MS = 180_000;
const POLL_MS = 100;

/** Stores a file as an upload does and asks for its conversion. */
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

export const addFile = async (ctx: Context, file: string) =>
  addRendition(ctx, path.basename(file), await readFile(path.join(corpus, file)));

/** Waits until a content is ready or has failed, for as long as any conversion makes progress. */
export async function settled(ctx: Context, id: number): Promise<Rendition> {
  let lastProgress = '';
  for (let until = 0; ; ) {
    const content = await findRendition(ctx, id);
    if (content && (content.state === 'ready' || content.state === 'failed')) return content;
    const progress = await progressOfAll(ctx);
    if (progress !== lastProgress) until = Date.now() + NO_PROGRESS_MS;
    lastProgress = progress;
    if (Date.now() > until) throw new Error(`content ${id} is still ${content?.state}: ${content?.reason}`);
    await sleep(POLL_MS);
  }
}

/** A document may wait for others: what counts is that leases are taken and renewed and pages drawn. */
async function progressOfAll(ctx: Context): Promise<string> {
  const { rows } = await ctx.db.execute(
    `select max(claimed_at), max(lease_until), sum(ready_pages), max(updated_at) from contents`,
  );
  return JSON.stringify(rows);
}

/** Runs one attempt as a worker would, without a dispatcher; `attempt` sees what the dispatcher sees. */
export async function convertOnce(
  ctx: Context,
  id: number,
  signal: AbortSignal = new AbortController().signal,
  onStart: (attempt: Attempt) => void = () => {},
): Promise<void> {
  const lease = await takeLease(ctx, id, () => {});
  if (!lease) throw new Error(`content ${id} is leased`);
  const isReadable = lease.content.state === 'readable';
  const attempt = { workload: new Workload(0), signal, isReadable, isStopRequested: false };
  onStart(attempt);
  await convertDocument(ctx, lease, attempt, () => lease.content.queue_level);
}

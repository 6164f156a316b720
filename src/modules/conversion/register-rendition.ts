import { and, eq, lt, sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { changeRenditions } from './change-renditions.ts';
import type { FileFormat } from './conversion.contract.ts';
import { enqueueConversion } from './conversion-queue.ts';
import { enqueueReconversion } from './enqueue-reconversion.ts';
import { renditions } from './rendition.table.ts';
import type { Rendition } from './rendition.ts';
import { pipelineVersion } from './rendition.ts';

/** A failed file is retried by an upload at most once in this time. */
const RETRY_MINUTES = 10;

type NewRendition = {
  hash: string;
  format: FileFormat;
  size: number;
  userId?: number;
  /** Whether other documents use the file. False before the publication, so that the file is not converted a second time. */
  isRepeated?: boolean;
};

/**
 * Returns the rendition of an uploaded file and queues its conversion unless it is finished or running. Call it in the
 * transaction that creates the document, after the original is stored.
 */
export async function registerRendition(ctx: Context, newRendition: NewRendition): Promise<Rendition> {
  const { hash, format, size, userId, isRepeated = true } = newRendition;
  const [insertedRow] = await ctx.db
    .insert(renditions)
    .values({ hash, format, size, user_id: userId ?? ctx.user?.id ?? null })
    .onConflictDoNothing()
    .returning();
  if (insertedRow) {
    await enqueueConversion(ctx, insertedRow.id);
    return insertedRow;
  }
  await retryFailed(ctx, { hash, format });
  const { converter } = await getSettings(ctx);
  if (converter.enable_convert_repeated_document && isRepeated) await reconvertReady(ctx, { hash, format });
  const [existingRow] = await ctx.db
    .select()
    .from(renditions)
    .where(and(eq(renditions.hash, hash), eq(renditions.format, format)))
    // Locked until the document refers to it, so that no cleanup job removes it. Not a shared lock: two uploads that
    // both queue the conversion would deadlock.
    .for('no key update');
  // The row was deleted between the two statements; the next insert adds it.
  if (!existingRow) return registerRendition(ctx, newRendition);
  if (existingRow.version < pipelineVersion(format) && existingRow.state === 'ready')
    await enqueueConversion(ctx, existingRow.id);
  return existingRow;
}

/** Uploading a failed file again retries its conversion. */
async function retryFailed(ctx: Context, { hash, format }: Pick<NewRendition, 'hash' | 'format'>): Promise<void> {
  const hasFailedBefore = and(
    ...[eq(renditions.hash, hash), eq(renditions.format, format), eq(renditions.state, 'failed')],
    lt(renditions.updated_at, sql`now() - make_interval(mins => ${RETRY_MINUTES})`),
  );
  const failedIds = await changeRenditions(ctx, hasFailedBefore, {
    state: 'waiting',
    reason: '',
    attempts: 0,
    has_pdf: false,
  });
  for (const id of failedIds) await enqueueConversion(ctx, id);
}

/** The lock makes only one of two concurrent uploads find a finished conversion. */
async function reconvertReady(ctx: Context, { hash, format }: Pick<NewRendition, 'hash' | 'format'>): Promise<void> {
  const rows = await ctx.db
    .select({ id: renditions.id })
    .from(renditions)
    .where(and(eq(renditions.hash, hash), eq(renditions.format, format), eq(renditions.state, 'ready')))
    .for('no key update');
  await enqueueReconversion(
    ctx,
    rows.map(({ id }) => id),
  );
}

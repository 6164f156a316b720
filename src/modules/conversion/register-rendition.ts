import { and, eq, lt, sql } from 'drizzle-orm';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import type { FileFormat } from './conversion.contract.ts';
import { enqueueConversion } from './conversion-queue.ts';
import { reconvert } from './reconvert.ts';
import { renditions } from './rendition.table.ts';
import type { Rendition } from './rendition.ts';
import { pipelineVersion } from './rendition.ts';

/** A file that fails each time is not worth more. */
const RETRY_MINUTES = 10;

type NewContent = { hash: string; format: FileFormat; size: number; userId?: number };

/**
 * The content of an uploaded file; asks for its conversion unless that is done or under way. Call it
 * in the transaction that makes the document, when the original is stored.
 */
export async function registerRendition(ctx: Context, content: NewContent): Promise<Rendition> {
  const { hash, format, size, userId } = content;
  const [added] = await ctx.db
    .insert(renditions)
    .values({ hash, format, size, user_id: userId ?? ctx.user?.id ?? null })
    .onConflictDoNothing()
    .returning();
  if (added) {
    await enqueueConversion(ctx, added.id);
    return added;
  }
  await askAgainAfterFailure(ctx, { hash, format });
  const { converter } = await getSettings(ctx);
  if (converter.enable_convert_repeated_document) await convertRepeated(ctx, { hash, format });
  const [known] = await ctx.db
    .select()
    .from(renditions)
    .where(and(eq(renditions.hash, hash), eq(renditions.format, format)))
    // Locked until the document refers to it, so that no cleaning job removes it meanwhile; not shared, as two
    // uploads that both ask for its conversion would wait for each other.
    .for('no key update');
  // Deleted between the two statements: the next insert adds it.
  if (!known) return registerRendition(ctx, content);
  if (known.version < pipelineVersion(format) && known.state === 'ready') await enqueueConversion(ctx, known.id);
  return known;
}

/** Who uploads a file again that could not be converted asks for another try, now and then. */
async function askAgainAfterFailure(
  ctx: Context,
  { hash, format }: Pick<NewContent, 'hash' | 'format'>,
): Promise<void> {
  const [failed] = await ctx.db
    .update(renditions)
    .set({ state: 'waiting', reason: '', attempts: 0, has_pdf: false })
    .where(
      and(
        ...[eq(renditions.hash, hash), eq(renditions.format, format), eq(renditions.state, 'failed')],
        lt(renditions.updated_at, sql`now() - make_interval(mins => ${RETRY_MINUTES})`),
      ),
    )
    .returning({ id: renditions.id });
  if (failed) await enqueueConversion(ctx, failed.id);
}

/** Locked first: of two uploads at the same time, only one finds a finished conversion to repeat. */
async function convertRepeated(ctx: Context, { hash, format }: Pick<NewContent, 'hash' | 'format'>): Promise<void> {
  const rows = await ctx.db
    .select({ id: renditions.id })
    .from(renditions)
    .where(and(eq(renditions.hash, hash), eq(renditions.format, format), eq(renditions.state, 'ready')))
    .for('no key update');
  await reconvert(
    ctx,
    rows.map(({ id }) => id),
  );
}

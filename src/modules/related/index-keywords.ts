import { and, eq, gt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { arrayOf, extractKeywords, termOf } from './keywords.ts';
import { relatedTermCounts, relatedTerms, relatedTermsQueue } from './related.table.ts';

/** A beginning that tells what the whole is about. */
const SAMPLE_BYTES = 96 * 1024;
const BATCH = 200;

const isDue = sql`coalesce(${relatedTermsQueue.retry_at} <= now(), true)`;

/** Finds the words of documents that wish for it, until none is left. */
export const indexKeywords = defineJob({
  name: 'find-terms',
  input: z.object({}),
  timeout: 3_600,
  run: async (ctx: Context, _, { signal }) => {
    for (let last = 0; ; ) {
      const wishes = await ctx.db
        .select()
        .from(relatedTermsQueue)
        .where(and(gt(relatedTermsQueue.document_id, last), isDue))
        .orderBy(relatedTermsQueue.document_id)
        .limit(BATCH);
      for (const { document_id } of wishes) {
        if (signal.aborted) return;
        last = document_id;
        try {
          await inTransaction(ctx, (ctx) => fulfil(ctx, document_id));
        } catch (error) {
          // Its wish stays for later; those behind it need not wait for that.
          ctx.log.error({ err: error, document: document_id }, 'words of a document not found');
          await ctx.db
            .update(relatedTermsQueue)
            .set({ retry_at: sql`now() + interval '10 minutes'` })
            .where(eq(relatedTermsQueue.document_id, document_id));
        }
      }
      if (wishes.length < BATCH) return;
    }
  },
});

/** The wish goes first: should the document change meanwhile, the next one waits for us and stays. */
async function fulfil(ctx: Context, id: number): Promise<void> {
  await ctx.db.delete(relatedTermsQueue).where(eq(relatedTermsQueue.document_id, id));
  const [found] = await ctx.db
    .select({ title: documents.title, content: renditions })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.content_id))
    .where(eq(documents.id, id))
    .for('key share', { of: documents });
  if (!found) return;
  const words = await extractKeywords(found.title, await beginningOf(ctx, found.content));
  await keepTerms(ctx, id, [...new Set(words.map(termOf))]);
}

async function keepTerms(ctx: Context, id: number, terms: number[]): Promise<void> {
  const ofDocument = eq(relatedTerms.document_id, id);
  const [before] = await ctx.db.select().from(relatedTerms).where(ofDocument).for('update');
  await ctx.db
    .insert(relatedTerms)
    .values({ document_id: id, terms })
    .onConflictDoUpdate({ target: relatedTerms.document_id, set: { terms } });
  const known = before?.terms ?? [];
  const changes = [
    ...terms.filter((term) => !known.includes(term)).map((term) => ({ term, count: 1 })),
    ...known.filter((term) => !terms.includes(term)).map((term) => ({ term, count: -1 })),
  ].sort((a, b) => a.term - b.term);
  if (changes.length === 0) return;
  // Written in one order, so that two of these never wait for each other.
  await ctx.db.execute(sql`
    insert into ${relatedTermCounts} as known (term, count)
    select term, greatest(change, 0) from unnest(
      ${arrayOf(changes.map(({ term }) => term))}, ${arrayOf(changes.map(({ count }) => count))}
    ) changed (term, change) order by term
    on conflict (term) do update set count = greatest(known.count + case
      when excluded.count = 0 then -1 else 1 end, 0)`);
}

async function beginningOf({ storage }: Context, content: typeof renditions.$inferSelect | null): Promise<string> {
  if (!content) return '';
  const beginning = await storage.read(derivedKeys(content).text, SAMPLE_BYTES).catch((error: unknown) => {
    if (error instanceof StorageNotFound) return Buffer.alloc(0);
    throw error;
  });
  // The last letter may be cut in two.
  return beginning.toString('utf8').replaceAll('\ufffd', '');
}

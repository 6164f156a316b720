import { and, eq, gt, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { documents } from '#modules/document/document.table.ts';
import { insertRecognizedTexts, readRecognizedTexts } from '#modules/recognition/recognized-text.ts';
import { hashKeyword } from '#modules/text/word-hash.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { defineJob } from '#platform/server/jobs/jobs.ts';
import { StorageNotFound } from '#platform/server/storage/storage-errors.ts';
import { extractKeywords, integerArray } from './keywords.ts';
import { relatedTermCounts, relatedTerms, relatedTermsQueue } from './related.table.ts';

/** The start of a text is enough to find its keywords. */
const SAMPLE_BYTES = 96 * 1024;
const BATCH_SIZE = 200;

const isDue = sql`coalesce(${relatedTermsQueue.retry_at} <= now(), true)`;

/** Extracts keywords of queued documents until the queue is empty. */
export const indexKeywords = defineJob({
  name: 'index-keywords',
  input: z.object({}),
  timeoutSeconds: 3_600,
  run: async (ctx: Context, _, { signal }) => {
    for (let last = 0; ; ) {
      const queuedRows = await ctx.db
        .selectDistinct({ document_id: relatedTermsQueue.document_id })
        .from(relatedTermsQueue)
        .where(and(gt(relatedTermsQueue.document_id, last), isDue))
        .orderBy(relatedTermsQueue.document_id)
        .limit(BATCH_SIZE);
      for (const { document_id } of queuedRows) {
        if (signal.aborted) return;
        last = document_id;
        try {
          await inTransaction(ctx, (ctx) => indexDocumentKeywords(ctx, document_id));
        } catch (error) {
          // The document stays queued with a delay, so that it does not block the others.
          ctx.log.error({ err: error, document: document_id }, 'keyword extraction of a document failed');
          await ctx.db
            .update(relatedTermsQueue)
            .set({ retry_at: sql`now() + interval '10 minutes'` })
            .where(eq(relatedTermsQueue.document_id, document_id));
        }
      }
      if (queuedRows.length < BATCH_SIZE) return;
    }
  },
});

/** A change of the document meanwhile adds another queue row, so that its keywords are extracted again. */
async function indexDocumentKeywords(ctx: Context, id: number): Promise<void> {
  await ctx.db.delete(relatedTermsQueue).where(eq(relatedTermsQueue.document_id, id));
  const [row] = await ctx.db
    .select({ title: documents.title, rendition: renditions })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(eq(documents.id, id))
    .for('key share', { of: documents });
  if (!row) return;
  const words = await extractKeywords(row.title, await readTextStart(ctx, row.rendition));
  await storeTerms(ctx, id, [...new Set(words.map(hashKeyword))]);
}

async function storeTerms(ctx: Context, id: number, terms: number[]): Promise<void> {
  const ofDocument = eq(relatedTerms.document_id, id);
  const [before] = await ctx.db.select().from(relatedTerms).where(ofDocument).for('update');
  await ctx.db
    .insert(relatedTerms)
    .values({ document_id: id, terms })
    .onConflictDoUpdate({ target: relatedTerms.document_id, set: { terms } });
  const previousTerms = before?.terms ?? [];
  const changes = [
    ...terms.filter((term) => !previousTerms.includes(term)).map((term) => ({ term, count: 1 })),
    ...previousTerms.filter((term) => !terms.includes(term)).map((term) => ({ term, count: -1 })),
  ].sort((a, b) => a.term - b.term);
  if (changes.length === 0) return;
  // Sorted by term, so that two of these transactions cannot deadlock.
  await ctx.db.execute(sql`
    insert into ${relatedTermCounts} as counts (term, count)
    select term, greatest(change, 0) from unnest(
      ${integerArray(changes.map(({ term }) => term))}, ${integerArray(changes.map(({ count }) => count))}
    ) changes (term, change) order by term
    on conflict (term) do update set count = greatest(counts.count + case
      when excluded.count = 0 then -1 else 1 end, 0)`);
}

async function readTextStart(ctx: Context, rendition: typeof renditions.$inferSelect | null): Promise<string> {
  if (!rendition) return '';
  const start = await ctx.storage.read(renditionStorageKeys(rendition).text, SAMPLE_BYTES).catch((error: unknown) => {
    if (error instanceof StorageNotFound) return Buffer.alloc(0);
    throw error;
  });
  // The cut may split the last character.
  const text = start.toString('utf8').replaceAll('\ufffd', '');
  return insertRecognizedTexts(text, await readRecognizedTexts(ctx, rendition)).slice(0, SAMPLE_BYTES);
}

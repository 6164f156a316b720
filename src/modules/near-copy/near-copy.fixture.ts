import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type pg from 'pg';
import type { RenditionView } from '#modules/conversion/conversion.contract.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { addDocument, setConversionState } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';
import { sketchDocuments } from './sketch-documents.ts';

/** Text without repetitions, the same in every run and another one for each seed. */
export function makeText(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCharCode(0x4e00 + ((state >>> 8) % 3_000));
  }).join('');
}

/** A text file without repetitions, in lines of the given width. Files of one seed differ only in their lines. */
export const makeTextInLines = (seed: number, width: number): Buffer =>
  Buffer.from(makeText(2_000, seed).replace(new RegExp(`(.{${width}})`, 'gu'), '$1\n'));

/** A document with a file of its own and this text, without running a conversion. */
export async function addDocumentWithText(
  ctx: Context,
  owner: Parameters<typeof addDocument>[1],
  text: string,
  fields: Parameters<typeof addDocument>[2],
  view: RenditionView = 'flow',
) {
  const { id } = await addDocument(ctx, owner, fields);
  const [row] = await ctx.db
    .select({ renditionId: renditions.id, hash: renditions.hash, format: renditions.format })
    .from(renditions)
    .innerJoin(documents, eq(documents.rendition_id, renditions.id))
    .where(eq(documents.id, id));
  if (!row) throw new Error(`document ${id} has no rendition`);
  const keys = renditionStorageKeys({ ...row, version: 1 });
  await ctx.storage.put(keys.text, Buffer.from(text));
  await setConversionState(ctx, id, 'ready', { version: 1, view });
  return { id, renditionId: row.renditionId, keys };
}

/** Returns when the running site has compared the files of all documents and delivered the resulting events. */
export async function waitForComparison(ctx: Context, pool: pg.Pool): Promise<void> {
  await waitForEventDelivery(ctx);
  for (;;) {
    const { rows } = await pool.query(
      `select from pgboss.job where name = $1 and state in ('created', 'retry', 'active') limit 1`,
      [sketchDocuments.name],
    );
    if (rows.length === 0) break;
    await sleep(10);
  }
  await waitForEventDelivery(ctx);
}

import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { ConversionState } from './conversion-state.contract.ts';
import { type DocumentRow, documents } from './document.table.ts';
import { type DocumentEventType, recordDocumentEvents } from './document-events.ts';
import { conversionStateOf, describeBySummary } from './document-states.ts';
import { lockRenditions, type RenditionRow } from './lock-renditions.ts';

/** Copies the state and the extracted properties of changed renditions to their documents. */
export async function copyConversionState(ctx: Context, renditionIds: readonly number[]): Promise<void> {
  const renditions = await lockRenditions(ctx, [...renditionIds]);
  const rows = await ctx.db
    .select()
    .from(documents)
    .where(inArray(documents.rendition_id, [...renditions.keys()]))
    .orderBy(asc(documents.id))
    .for('no key update');
  const idsByEvent = new Map<DocumentEventType, number[]>();
  for (const row of rows) {
    const rendition = renditions.get(row.rendition_id ?? 0);
    if (!rendition) continue;
    const type = await copyStateOfRendition(ctx, row, rendition);
    idsByEvent.set(type, [...(idsByEvent.get(type) ?? []), row.id]);
  }
  for (const [type, ids] of idsByEvent) await recordDocumentEvents(ctx, type, ids);
}

async function copyStateOfRendition(
  ctx: Context,
  row: DocumentRow,
  rendition: RenditionRow,
): Promise<DocumentEventType> {
  const change = {
    conversion_state: nextConversionState(row, rendition),
    ...describeBySummary(row, rendition.summary),
    language: row.language || rendition.language,
  };
  const fields = Object.keys(change) as (keyof typeof change)[];
  const isChanged = fields.some((field) => change[field] !== row[field]);
  if (isChanged)
    await ctx.db
      .update(documents)
      .set({ ...change, updated_at: sql`now()` })
      .where(eq(documents.id, row.id));
  if (rendition.state === 'ready') return 'converted';
  return isChanged ? 'conversion-state-changed' : 'pages-changed';
}

/** A requested re-conversion is shown as such until it starts. */
function nextConversionState(row: DocumentRow, rendition: RenditionRow): ConversionState {
  const state = conversionStateOf(rendition);
  return state === 'waiting' && row.conversion_state === 'reconverting' ? 'reconverting' : state;
}

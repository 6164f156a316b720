import { inArray } from 'drizzle-orm';
import { documentTwins } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';
import type { RankedText } from './rank-by-full-text.ts';

/** Keeps the oldest text of each group of twins, in the order of the texts. */
export async function withOldestTwins(ctx: Context, texts: RankedText[]): Promise<RankedText[]> {
  if (texts.length === 0) return [];
  const rows = await ctx.db
    .select()
    .from(documentTwins)
    .where(
      inArray(
        documentTwins.document_id,
        texts.map(({ row }) => row.id),
      ),
    );
  const groupOf = new Map(rows.map(({ document_id, twin_group }) => [document_id, twin_group]));
  const oldestIds = new Map<number, number>();
  for (const { document_id, twin_group } of rows)
    oldestIds.set(twin_group, Math.min(document_id, oldestIds.get(twin_group) ?? document_id));
  return texts.filter(({ row }) => {
    const group = groupOf.get(row.id);
    return group === undefined || oldestIds.get(group) === row.id;
  });
}

import { inArray, sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import { compareTextSketches, type Similarity } from './compare-sketches.ts';
import { nearCopyKeys, nearCopySketches } from './near-copy.table.ts';
import { haveEqualPictures } from './picture-hash.ts';
import { ensureSketch, keysOf, type Sketch, toSketch } from './store-sketch.ts';

/** Files with a key that more files share are found by their other keys. */
const MAX_FILES_PER_KEY = 400;
/** The files that share most keys are compared. */
const MAX_CANDIDATES = 50;

export type NearCopy = Similarity & { renditionId: number };

function compareSketches(a: Sketch, b: Sketch): Similarity | null {
  const textSimilarity = compareTextSketches(a.text, b.text);
  if (textSimilarity) return textSimilarity;
  return haveEqualPictures(a.pictures, b.pictures) ? { kind: 'equal', share: 1 } : null;
}

/** Files that are nearly the same as a sketch, the most similar first. */
export async function findSimilarFiles(ctx: Context, sketch: Sketch, exceptId: number): Promise<NearCopy[]> {
  const { rows: candidates } = await ctx.db.execute<{ rendition_id: string }>(sql`
    select candidate.rendition_id
    from unnest(${sql.param(keysOf(sketch))}::int[]) sketch_key (key)
    cross join lateral (
      select rendition_id from ${nearCopyKeys} where ${nearCopyKeys.key} = sketch_key.key limit ${MAX_FILES_PER_KEY}
    ) candidate
    where candidate.rendition_id <> ${exceptId}
    group by candidate.rendition_id order by count(*) desc, candidate.rendition_id limit ${MAX_CANDIDATES}`);
  const ids = candidates.map(({ rendition_id }) => Number(rendition_id));
  if (ids.length === 0) return [];
  const rows = await ctx.db.select().from(nearCopySketches).where(inArray(nearCopySketches.rendition_id, ids));
  const nearCopies = rows.flatMap((row) => {
    const similarity = compareSketches(sketch, toSketch(row));
    return similarity ? [{ ...similarity, renditionId: row.rendition_id }] : [];
  });
  return nearCopies.sort((a, b) => b.share - a.share);
}

/** Other files that are nearly the same as this one; empty while it is converted. */
export async function findNearCopies(ctx: Context, renditionId: number): Promise<NearCopy[]> {
  const sketch = await ensureSketch(ctx, renditionId);
  return sketch ? findSimilarFiles(ctx, sketch, renditionId) : [];
}

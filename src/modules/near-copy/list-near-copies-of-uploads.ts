import { and, asc, count, desc, eq, inArray, isNull, ne, not } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import type { Similarity } from './compare-sketches.ts';
import { listVisibleCopies, similarityByRendition } from './list-near-copies.ts';
import { type nearCopyApi, toPercent, type UploadComparison } from './near-copy.contract.ts';
import { ensureSketch } from './store-sketch.ts';

const NO_NEAR_COPIES = { reason: '', copy: [], hidden_count: 0, upload: [] };

/**
 * Compares files of the upload page with all documents before their publication. Documents that the caller may not see
 * are counted, not named.
 */
export async function listNearCopiesOfUploads(
  ctx: UserContext,
  { id: ids }: ParsedInputOf<typeof nearCopyApi.listOfUploads>,
): Promise<{ upload: UploadComparison[] }> {
  const rows = await ctx.db
    .select({ id: attachments.id, rendition: renditions })
    .from(attachments)
    .innerJoin(renditions, eq(renditions.hash, attachments.hash))
    .where(and(inArray(attachments.id, ids), isUnpublishedUpload(ctx)))
    .orderBy(desc(renditions.id));
  // First the sketches of all: files of one upload are compared with each other.
  for (const { rendition } of rows) await ensureSketch(ctx, rendition.id);
  const upload: UploadComparison[] = [];
  for (const id of ids) {
    const rendition = rows.find((row) => row.id === id)?.rendition;
    if (!rendition) upload.push({ id, is_final: true, ...NO_NEAR_COPIES });
    else if (rendition.state === 'failed')
      upload.push({ id, is_final: true, ...NO_NEAR_COPIES, reason: rendition.reason });
    else if (rendition.state !== 'ready') upload.push({ id, is_final: false, ...NO_NEAR_COPIES });
    else upload.push({ id, is_final: true, reason: '', ...(await findCopiesOfUpload(ctx, id, rendition.id)) });
  }
  return { upload };
}

const isUnpublishedUpload = (ctx: UserContext) =>
  and(eq(attachments.user_id, ctx.user.id), eq(attachments.type, attachmentTypes.document), eq(attachments.type_id, 0));

async function findCopiesOfUpload(ctx: UserContext, id: number, renditionId: number) {
  const similarities = await similarityByRendition(ctx, renditionId);
  return {
    copy: await listVisibleCopies(ctx, similarities),
    hidden_count: await countHiddenCopies(ctx, similarities),
    upload: await listSimilarUploads(ctx, id, similarities),
  };
}

async function listSimilarUploads(ctx: UserContext, id: number, similarities: ReadonlyMap<number, Similarity>) {
  const rows = await ctx.db
    .select({ id: attachments.id, renditionId: renditions.id })
    .from(attachments)
    .innerJoin(renditions, eq(renditions.hash, attachments.hash))
    .where(and(inArray(renditions.id, [...similarities.keys()]), ne(attachments.id, id), isUnpublishedUpload(ctx)))
    .orderBy(asc(attachments.id));
  const uploads = new Map(rows.map(({ id, renditionId }) => [id, similarities.get(renditionId)]));
  return [...uploads].flatMap(([id, similarity]) =>
    similarity ? [{ id, kind: similarity.kind, share: toPercent(similarity.share) }] : [],
  );
}

async function countHiddenCopies(ctx: Context, similarities: ReadonlyMap<number, Similarity>): Promise<number> {
  const [row] = await ctx.db
    .select({ total: count() })
    .from(documents)
    .where(
      and(
        inArray(documents.rendition_id, [...similarities.keys()]),
        isNull(documents.deleted_at),
        not(isVisibleToCaller(ctx)),
      ),
    );
  return row?.total ?? 0;
}

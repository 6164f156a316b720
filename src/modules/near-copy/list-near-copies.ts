import { and, asc, eq, inArray, lt, ne, type SQL } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { isOwnerOrManager, isPublic, isVisibleToCaller } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import type { Similarity } from './compare-sketches.ts';
import { findNearCopies } from './find-near-copies.ts';
import { isRedundant, type NearCopyOfDocument, type nearCopyApi, toPercent } from './near-copy.contract.ts';

const MAX_LISTED_COPIES = 10;
const SAME_FILE: Similarity = { kind: 'identical', share: 1 };

type DocumentOfRendition = { id: number; rendition_id: number | null };

/** Files that are nearly the same as that of the document, and the file itself. */
export async function similarityByRendition(ctx: Context, renditionId: number): Promise<Map<number, Similarity>> {
  const nearCopies = await findNearCopies(ctx, renditionId);
  const similarities = nearCopies.map(({ renditionId: id, ...similarity }): [number, Similarity] => [id, similarity]);
  return new Map([[renditionId, SAME_FILE], ...similarities]);
}

/** Other documents with nearly the same file as the document. */
async function listCopiesOfDocument(
  ctx: Context,
  { id, rendition_id }: DocumentOfRendition,
): Promise<NearCopyOfDocument[]> {
  if (rendition_id === null) return [];
  return listVisibleCopies(ctx, await similarityByRendition(ctx, rendition_id), ne(documents.id, id));
}

/** Documents of similar files that the caller may see, the most similar first. */
export async function listVisibleCopies(
  ctx: Context,
  similarities: ReadonlyMap<number, Similarity>,
  condition?: SQL,
): Promise<NearCopyOfDocument[]> {
  const { uuid, title, created_at } = documents;
  const rows = await ctx.db
    .select({
      id: documents.id,
      uuid,
      title,
      created_at,
      username: users.username,
      renditionId: documents.rendition_id,
    })
    .from(documents)
    .innerJoin(users, eq(users.id, documents.user_id))
    .where(and(inArray(documents.rendition_id, [...similarities.keys()]), condition, isVisibleToCaller(ctx)))
    .orderBy(asc(documents.id));
  return rows
    .map(({ renditionId, ...row }) => ({ ...row, ...(similarities.get(renditionId ?? 0) ?? SAME_FILE) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_LISTED_COPIES)
    .map((row) => ({ ...row, share: toPercent(row.share) }));
}

export async function listNearCopies(ctx: UserContext, { id: ids }: ParsedInputOf<typeof nearCopyApi.list>) {
  const rows = await ctx.db
    .select()
    .from(documents)
    .where(and(inArray(documents.id, ids), isVisibleToCaller(ctx)));
  const document = [];
  for (const row of rows.filter((each) => isOwnerOrManager(ctx, each)))
    document.push({ id: row.id, copy: await listCopiesOfDocument(ctx, row) });
  return { document };
}

/**
 * Whether a document that was uploaded earlier and that every visitor may see now has nearly the same text, or contains it:
 * then the upload adds nothing new. Deleted, private and unpublished documents do not count, because uploaders cannot see them.
 */
export async function isCopyOfOlderDocument(ctx: Context, { id, rendition_id }: DocumentOfRendition): Promise<boolean> {
  if (rendition_id === null) return false;
  const similarities = await similarityByRendition(ctx, rendition_id);
  const copiedIds = [...similarities].flatMap(([file, { kind }]) => (isRedundant(kind) ? [file] : []));
  const [original] = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(and(inArray(documents.rendition_id, copiedIds), lt(documents.id, id), isPublic))
    .limit(1);
  return original !== undefined;
}

import { and, eq, inArray } from 'drizzle-orm';
import { findUser } from '#modules/account/account.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { type documentApi, documentStatus } from './document.contract.ts';
import { documents } from './document.table.ts';
import { getEncryptionForCaller } from './encryption.ts';
import { hiddenDocumentError } from './hidden-document-error.ts';
import { addCategoriesAndUrls, selectDocuments } from './select-documents.ts';
import { isOwnerOrManager, isVisibleToCaller } from './visibility.ts';

/** By id or uuid. A document that the caller may not see is reported as missing. */
export async function getDocument(ctx: Context, { id, uuid, with_author }: ParsedInputOf<typeof documentApi.get>) {
  if (!id && !uuid) throw httpErrors.invalidInput('请给出文档的 id 或 uuid');
  const isRequested = id ? eq(documents.id, id) : eq(documents.uuid, uuid ?? '');
  const [row] = await addCategoriesAndUrls(
    ctx,
    await selectDocuments(ctx).where(and(isRequested, isVisibleToCaller(ctx))),
  );
  if (!row) throw await hiddenDocumentError(ctx, isRequested);
  return with_author ? { ...row, user: await findUser(ctx, row.user_id) } : row;
}

/** Polled often, so it reads only the columns it returns. */
export async function getDocumentProgress(ctx: Context, { id: ids }: { id: number[] }) {
  const rows = await ctx.db
    .select({
      id: documents.id,
      user_id: documents.user_id,
      visibility: documents.visibility,
      deleted_at: documents.deleted_at,
      status: documents.status,
      review_state: documents.review_state,
      conversion_state: documents.conversion_state,
      rendition_id: documents.rendition_id,
      format: documents.format,
      reject_reason: documents.reject_reason,
      pages: renditions.pages,
      ready_pages: renditions.ready_pages,
      convert_error: renditions.reason,
    })
    .from(documents)
    .leftJoin(renditions, eq(renditions.id, documents.rendition_id))
    .where(and(inArray(documents.id, ids), isVisibleToCaller(ctx)));
  return {
    document: rows.map((row) => ({
      id: row.id,
      status: row.status,
      pages: row.pages ?? 0,
      ready_pages: row.ready_pages ?? 0,
      conversion_state: row.rendition_id === null ? null : row.conversion_state,
      reason: isOwnerOrManager(ctx, row) ? selectStatusReason(row) : '',
      encryption: getEncryptionForCaller(ctx, row),
    })),
  };
}

const statusesWithReason: readonly number[] = [documentStatus.disabled, documentStatus.refused];
const selectStatusReason = (row: { status: number; reject_reason: string; convert_error: string | null }) =>
  statusesWithReason.includes(row.status)
    ? row.reject_reason
    : row.status === documentStatus.converted
      ? ''
      : (row.convert_error ?? '');

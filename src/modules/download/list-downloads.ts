import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { downloadApi } from './download.contract.ts';
import { downloads } from './download.table.ts';

/** Lists the downloads of the caller, newest first, without documents that are no longer visible. */
export async function listDownloads(ctx: UserContext, { page, size }: ParsedInputOf<typeof downloadApi.list>) {
  const isVisibleDownload = and(eq(downloads.user_id, ctx.user.id), isVisibleToCaller(ctx));
  const isDocumentOfDownload = eq(documents.id, downloads.document_id);
  const [{ total } = { total: 0 }] = await ctx.db
    .select({ total: count() })
    .from(downloads)
    .innerJoin(documents, isDocumentOfDownload)
    .where(isVisibleDownload);
  const rows = await ctx.db
    .select({ download: downloads })
    .from(downloads)
    .innerJoin(documents, isDocumentOfDownload)
    .where(isVisibleDownload)
    .orderBy(desc(downloads.id))
    .limit(size)
    .offset((page - 1) * size);
  const ids = [...new Set(rows.map(({ download }) => download.document_id))];
  const documentRows = ids.length > 0 ? await selectDocuments(ctx).where(inArray(documents.id, ids)) : [];
  const byId = new Map((await addCategoriesAndUrls(ctx, documentRows)).map((row) => [row.id, row]));
  return {
    total,
    download: rows.flatMap(({ download }) => {
      const document = byId.get(download.document_id);
      return document ? [{ ...download, is_pay: download.price > 0, document }] : [];
    }),
  };
}

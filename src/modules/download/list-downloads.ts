import { and, count, desc, eq, inArray } from 'drizzle-orm';
import { documents } from '#modules/document/document.table.ts';
import { describeDocuments, selectDocuments } from '#modules/document/document.ts';
import { visibleTo } from '#modules/document/visibility.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { downloadApi } from './download.contract.ts';
import { downloads } from './download.table.ts';

/** The own downloads, newest first; of documents that are still to be seen. */
export async function listDownloads(ctx: UserContext, { page, size }: ParsedInputOf<typeof downloadApi.list>) {
  const shown = and(eq(downloads.user_id, ctx.user.id), visibleTo(ctx));
  const ofDocument = eq(documents.id, downloads.document_id);
  const [{ total } = { total: 0 }] = await ctx.db
    .select({ total: count() })
    .from(downloads)
    .innerJoin(documents, ofDocument)
    .where(shown);
  const rows = await ctx.db
    .select({ download: downloads })
    .from(downloads)
    .innerJoin(documents, ofDocument)
    .where(shown)
    .orderBy(desc(downloads.id))
    .limit(size)
    .offset((page - 1) * size);
  const ids = [...new Set(rows.map(({ download }) => download.document_id))];
  const found = ids.length > 0 ? await selectDocuments(ctx).where(inArray(documents.id, ids)) : [];
  const byId = new Map((await describeDocuments(ctx, found)).map((row) => [row.id, row]));
  return {
    total,
    download: rows.flatMap(({ download }) => {
      const document = byId.get(download.document_id);
      return document ? [{ ...download, is_pay: download.price > 0, document }] : [];
    }),
  };
}

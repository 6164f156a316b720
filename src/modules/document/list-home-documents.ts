import { inArray, sql } from 'drizzle-orm';
import { getVisibleCategories } from '#modules/category/category.ts';
import type { Context } from '#platform/server/context.ts';
import { documentCategories, documents } from './document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from './select-documents.ts';

/** The newest publicly readable documents of every top-level category, the same for every caller. */
export async function listHomeDocuments(ctx: Context, { limit }: { limit: number }) {
  const topCategories = (await getVisibleCategories(ctx)).filter(({ parent_id }) => parent_id === 0);
  if (topCategories.length === 0) return { document: [] };
  const topIds = topCategories.map(({ id }) => id);
  const { rows: newest } = await ctx.db.execute<{ category_id: string; document_id: string }>(sql`
    select top.category_id, newest.document_id
    from unnest(${sql.param(topIds)}::bigint[]) top (category_id)
    cross join lateral (
      select ${documentCategories.document_id} as document_id
      from ${documentCategories}
      where ${documentCategories.category_id} = top.category_id and ${documentCategories.is_readable}
      order by ${documentCategories.document_id} desc limit ${limit}
    ) newest`);
  const ids = [...new Set(newest.map(({ document_id }) => Number(document_id)))];
  const selectedDocuments = ids.length > 0 ? await selectDocuments(ctx).where(inArray(documents.id, ids)) : [];
  const describedDocuments = await addCategoriesAndUrls(ctx, selectedDocuments);
  const byId = new Map(describedDocuments.map((row) => [row.id, row]));
  const documentsOf = (category: number) =>
    newest
      .filter(({ category_id }) => Number(category_id) === category)
      .flatMap(({ document_id }) => byId.get(Number(document_id)) ?? []);
  return {
    document: topCategories.map(({ id, title, cover }) => ({
      category_id: id,
      category_name: title,
      category_cover: cover,
      document: documentsOf(id),
    })),
  };
}

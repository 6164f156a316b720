import { inArray, sql } from 'drizzle-orm';
import { getVisibleCategories } from '#modules/category/category.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import type { documentApi } from './document.contract.ts';
import { documentCategories, documents, documentTwins } from './document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from './select-documents.ts';
import { addTwins } from './twins.ts';

type Input = Pick<ParsedInputOf<typeof documentApi.home>, 'limit' | 'collapse_twins'>;

/** No older twin of the linked document is publicly readable in the same category. */
const isOldestTwinOfCategory = sql`not exists (
  select 1 from ${documentTwins} twin
  join ${documentTwins} older on older.twin_group = twin.twin_group and older.document_id < twin.document_id
  join ${documentCategories} other on other.document_id = older.document_id
  where twin.document_id = ${documentCategories.document_id}
    and other.category_id = ${documentCategories.category_id} and other.is_readable offset 0)`;

/** The newest publicly readable documents of every top-level category, the same for every caller. */
export async function listHomeDocuments(ctx: Context, { limit, collapse_twins }: Input) {
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
        and ${collapse_twins ? isOldestTwinOfCategory : sql`true`}
      order by ${documentCategories.document_id} desc limit ${limit}
    ) newest`);
  const ids = [...new Set(newest.map(({ document_id }) => Number(document_id)))];
  const selectedDocuments = ids.length > 0 ? await selectDocuments(ctx).where(inArray(documents.id, ids)) : [];
  const describedDocuments = await addCategoriesAndUrls(ctx, selectedDocuments);
  const listedDocuments = collapse_twins ? await addTwins(ctx, describedDocuments) : describedDocuments;
  const byId = new Map(listedDocuments.map((row) => [row.id, row]));
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

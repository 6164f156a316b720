import { and, desc, eq, gte, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { loadCategories } from '#modules/category/category.ts';
import { pathToRoot } from '#modules/category/category-tree.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { type DocumentRow, documentCategories, documents } from '#modules/document/document.table.ts';
import { hiddenDocumentError } from '#modules/document/hidden-document-error.ts';
import { addCategoriesAndUrls, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import { withCallerPreviewLimit } from '#modules/reading/preview-limit.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { integerArray } from './keywords.ts';
import { relatedTermCounts, relatedTerms } from './related.table.ts';

const MAX_RELATED_DOCUMENTS = 10;
/** One shared keyword is not enough. */
const MIN_SHARED_TERMS = 2;
const MAX_COMPARED_DOCUMENTS = 1_000;

/** Only documents that the caller may see. */
export async function listRelatedDocuments(ctx: Context, { id }: { id: number }) {
  const [document] = await ctx.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), isVisibleToCaller(ctx)));
  if (!document) throw await hiddenDocumentError(ctx, id);
  const { security } = await getSettings(ctx);
  if (security.document_related_duration === 0) return { document: [] };
  const similarIds = await findDocumentsWithSharedTerms(ctx, document);
  const ids =
    similarIds.length < MAX_RELATED_DOCUMENTS
      ? [...similarIds, ...(await findInCategory(ctx, document, similarIds))]
      : similarIds;
  if (ids.length === 0) return { document: [] };
  const rows = await withCallerPreviewLimit(
    ctx,
    await addCategoriesAndUrls(ctx, await selectDocuments(ctx).where(inArray(documents.id, ids))),
  );
  return { document: rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) };
}

/** Excludes other documents of the same file and documents that are not converted. */
const isCandidate = ({ id, rendition_id }: DocumentRow) =>
  and(
    ne(documents.id, id),
    eq(documents.status, documentStatus.converted),
    rendition_id === null ? undefined : ne(documents.rendition_id, rendition_id),
  );

/** The document's terms, and its rarest terms, which together occur in at most MAX_COMPARED_DOCUMENTS documents. */
async function readAllAndRareTerms(ctx: Context, id: number) {
  const rare = sql<number[]>`array(
    select term from (
      select term, sum(count) over (order by count, term) as documents
      from ${relatedTermCounts} where term = any(${relatedTerms.terms})) cumulative_counts
    where documents <= ${MAX_COMPARED_DOCUMENTS})`;
  const [row] = await ctx.db
    .select({ terms: relatedTerms.terms, rare })
    .from(relatedTerms)
    .where(eq(relatedTerms.document_id, id));
  return row ?? { terms: [], rare: [] };
}

const readCategoryIds = async (ctx: Context, id: number) =>
  (
    await ctx.db
      .select({ id: documentCategories.category_id })
      .from(documentCategories)
      .where(eq(documentCategories.document_id, id))
  ).map((row) => row.id);

/** Ordered by shared terms, then shared categories, then newest first. */
async function findDocumentsWithSharedTerms(ctx: Context, document: DocumentRow): Promise<number[]> {
  const { terms, rare } = await readAllAndRareTerms(ctx, document.id);
  if (rare.length === 0) return [];
  const candidates = sql`(
    select document_id,
      (select count(*) from unnest(terms) term where term = any(${integerArray(terms)})) as shared_terms
    from ${relatedTerms} where terms && ${integerArray(rare)}) candidates`;
  const sharedTermCount = sql`candidates.shared_terms`;
  // A count, because for `exists` the planner would read whole categories.
  const sharedCategories = sql`(select count(*) from ${documentCategories} there
    where there.document_id = ${documents.id}
      and there.category_id = any(${integerArray(await readCategoryIds(ctx, document.id))}))`;
  const rows = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(candidates, sql`candidates.document_id = ${documents.id}`)
    .where(and(gte(sharedTermCount, MIN_SHARED_TERMS), isCandidate(document), isVisibleToCaller(ctx)))
    .orderBy(desc(sharedTermCount), desc(sharedCategories), desc(documents.id))
    .limit(MAX_RELATED_DOCUMENTS);
  return rows.map(({ id }) => id);
}

/** Newest documents of the deepest category, to fill the list. */
async function findInCategory(ctx: Context, document: DocumentRow, excludedIds: number[]): Promise<number[]> {
  const categoryIds = await readCategoryIds(ctx, document.id);
  const allCategories = await loadCategories(ctx.db);
  const depthOf = (categoryId: number) => pathToRoot(allCategories, categoryId).length;
  const [deepestId = 0] = categoryIds.toSorted((a, b) => depthOf(b) - depthOf(a) || a - b);
  const rows = await ctx.db
    .select({ id: documents.id })
    .from(documentCategories)
    .innerJoin(documents, eq(documents.id, documentCategories.document_id))
    .where(
      and(
        eq(documentCategories.category_id, deepestId),
        // Literal, so that the partial index applies.
        sql`${documentCategories.is_readable}`,
        isCandidate(document),
        excludedIds.length > 0 ? notInArray(documents.id, excludedIds) : undefined,
        isVisibleToCaller(ctx),
      ),
    )
    .orderBy(desc(documentCategories.document_id))
    .limit(MAX_RELATED_DOCUMENTS - excludedIds.length);
  return rows.map(({ id }) => id);
}

import { and, desc, eq, gte, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { documentErrors, documentStatus } from '#modules/document/document.contract.ts';
import { type DocumentRow, documentCategories, documents } from '#modules/document/document.table.ts';
import { describeDocuments, selectDocuments } from '#modules/document/document.ts';
import { visibleTo } from '#modules/document/visibility.ts';
import { withPreview } from '#modules/reading/preview.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { arrayOf } from './keywords.ts';
import { relatedTermCounts, relatedTerms } from './related.table.ts';

const SHOWN = 10;
/** One word in common says little. */
const LEAST_SHARED = 2;
/** Documents that are compared, at most. */
const COMPARED = 1_000;

/** Documents like this one that the caller may see and read. */
export async function relatedDocuments(ctx: Context, { id }: { id: number }) {
  const [document] = await ctx.db
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), visibleTo(ctx)));
  if (!document) throw documentErrors.notFound();
  const { security } = await getSettings(ctx);
  if (security.document_related_duration === 0) return { document: [] };
  const alike = await alikeTo(ctx, document);
  const ids = alike.length < SHOWN ? [...alike, ...(await besides(ctx, document, alike))] : alike;
  if (ids.length === 0) return { document: [] };
  const rows = await withPreview(
    ctx,
    await describeDocuments(ctx, await selectDocuments(ctx).where(inArray(documents.id, ids))),
  );
  return { document: rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)) };
}

/** Not the same file once more, and nothing that has no pages yet. */
const isOther = ({ id, content_id }: DocumentRow) =>
  and(
    ne(documents.id, id),
    eq(documents.status, documentStatus.converted),
    content_id === null ? undefined : ne(documents.content_id, content_id),
  );

/** Its words, and the rarest of them, which so many documents have at most. */
async function termsOf(ctx: Context, id: number) {
  const rare = sql<number[]>`array(
    select term from (
      select term, sum(count) over (order by count, term) as documents
      from ${relatedTermCounts} where term = any(${relatedTerms.terms})) counted
    where documents <= ${COMPARED})`;
  const [found] = await ctx.db
    .select({ terms: relatedTerms.terms, rare })
    .from(relatedTerms)
    .where(eq(relatedTerms.document_id, id));
  return found ?? { terms: [], rare: [] };
}

const categoriesOf = async (ctx: Context, id: number) =>
  (
    await ctx.db
      .select({ id: documentCategories.category_id })
      .from(documentCategories)
      .where(eq(documentCategories.document_id, id))
  ).map((row) => row.id);

/** By the number of words in common, then by the categories in common, then the newest. */
async function alikeTo(ctx: Context, document: DocumentRow): Promise<number[]> {
  const { terms, rare } = await termsOf(ctx, document.id);
  if (rare.length === 0) return [];
  const near = sql`(
    select document_id,
      (select count(*) from unnest(terms) term where term = any(${arrayOf(terms)})) as shared
    from ${relatedTerms} where terms && ${arrayOf(rare)}) near`;
  const shared = sql`near.shared`;
  // Counted, not asked for its existence: the database would gather whole categories for that.
  const neighbours = sql`(select count(*) from ${documentCategories} there
    where there.document_id = ${documents.id}
      and there.category_id = any(${arrayOf(await categoriesOf(ctx, document.id))}))`;
  const rows = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .innerJoin(near, sql`near.document_id = ${documents.id}`)
    .where(and(gte(shared, LEAST_SHARED), isOther(document), visibleTo(ctx)))
    .orderBy(desc(shared), desc(neighbours), desc(documents.id))
    .limit(SHOWN);
  return rows.map(({ id }) => id);
}

/** The newest of its own category, to fill the list. */
async function besides(ctx: Context, document: DocumentRow, known: number[]): Promise<number[]> {
  const deepest = Math.max(0, ...(await categoriesOf(ctx, document.id)));
  const rows = await ctx.db
    .select({ id: documents.id })
    .from(documentCategories)
    .innerJoin(documents, eq(documents.id, documentCategories.document_id))
    .where(
      and(
        eq(documentCategories.category_id, deepest),
        // Written out for the partial index.
        sql`${documentCategories.is_readable}`,
        isOther(document),
        known.length > 0 ? notInArray(documents.id, known) : undefined,
        visibleTo(ctx),
      ),
    )
    .orderBy(desc(documentCategories.document_id))
    .limit(SHOWN - known.length);
  return rows.map(({ id }) => id);
}

import { and, inArray, notInArray, sql } from 'drizzle-orm';
import { categories } from '#modules/category/category.table.ts';
import { getVisibleCategories, loadCategories } from '#modules/category/category.ts';
import { pathToRoot } from '#modules/category/category-tree.ts';
import type { Context } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';
import { documentCategories } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { seesAllDocuments } from './visibility.ts';

type CategoryName = { id: number; title: string; parent_id: number };

/** Parents before children, one branch after the other. */
function inTreeOrder(nodes: CategoryName[]): CategoryName[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => (ids.has(parent_id) ? parent_id : 0));
  const below = (parent: number): CategoryName[] =>
    (childrenOf.get(parent) ?? []).flatMap((node) => [node, ...below(node.id)]);
  return below(0);
}

/** Only categories that the caller may see. */
export async function listVisibleCategoriesByDocument(
  ctx: Context,
  ids: number[],
): Promise<Map<number, CategoryName[]>> {
  const visibleCategories = seesAllDocuments(ctx) ? await loadCategories(ctx.db) : await getVisibleCategories(ctx);
  const byId = new Map(visibleCategories.map(({ id, title, parent_id }) => [id, { id, title, parent_id }]));
  const links = await ctx.db.select().from(documentCategories).where(inArray(documentCategories.document_id, ids));
  const linksByDocument = Map.groupBy(links, ({ document_id }) => document_id);
  const toCategoryNames = (each: typeof links) =>
    inTreeOrder(each.flatMap(({ category_id }) => byId.get(category_id) ?? []));
  return new Map([...linksByDocument].map(([id, each]) => [id, toCategoryNames(each)]));
}

/**
 * The given categories with all their ancestors. They must be enabled; `currentIds` are the document's present
 * categories, which may stay although disabled. The caller must hold the shared lock on the category tree.
 */
export async function addCategoryAncestors(
  ctx: Context,
  categoryIds: number[],
  currentIds: readonly number[] = [],
): Promise<number[]> {
  const allCategories = await loadCategories(ctx.db);
  const path = new Set<number>();
  for (const id of categoryIds) {
    const chain = pathToRoot(allCategories, id);
    const isEnabled = chain.length > 0 && chain.every(({ enable }) => enable);
    if (!isEnabled && !currentIds.includes(id)) throw documentErrors.unknownCategory();
    for (const each of chain) path.add(each.id);
  }
  return [...path].sort((a, b) => a - b);
}

/** The caller must have locked the documents. */
export async function replaceCategories(ctx: Context, documentIds: number[], path: number[]): Promise<void> {
  const ofDocuments = inArray(documentCategories.document_id, documentIds);
  const before = await ctx.db
    .selectDistinct({ id: documentCategories.category_id })
    .from(documentCategories)
    .where(ofDocuments);
  // Locks all categories whose counts will change, in id order, to avoid deadlocks.
  await ctx.db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, [...path, ...before.map(({ id }) => id)]))
    .orderBy(categories.id)
    .for('no key update');
  await ctx.db.delete(documentCategories).where(and(ofDocuments, notInArray(documentCategories.category_id, path)));
  await linkCategories(ctx, documentIds, path);
  await recordDocumentEvents(ctx, 'categorized', documentIds);
}

export const linkCategories = (ctx: Context, documentIds: number[], path: number[]) =>
  ctx.db.execute(sql`
    insert into ${documentCategories} (document_id, category_id)
    select document_id, category_id
    from unnest(${sql.param(documentIds)}::bigint[]) document_id
    cross join unnest(${sql.param(path)}::bigint[]) category_id
    on conflict do nothing`);

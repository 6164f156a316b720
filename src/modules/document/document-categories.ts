import { and, inArray, notInArray, sql } from 'drizzle-orm';
import { categories } from '#modules/category/category.table.ts';
import { getVisibleCategories, loadCategories } from '#modules/category/category.ts';
import { chainOf } from '#modules/category/tree.ts';
import type { Context } from '#platform/server/context.ts';
import { documentErrors } from './document.contract.ts';
import { documentCategories } from './document.table.ts';
import { seesAll } from './visibility.ts';

type Named = { id: number; title: string; parent_id: number };

/** From the top down; of several branches one after the other. */
function inTreeOrder(nodes: Named[]): Named[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const childrenOf = Map.groupBy(nodes, ({ parent_id }) => (ids.has(parent_id) ? parent_id : 0));
  const below = (parent: number): Named[] =>
    (childrenOf.get(parent) ?? []).flatMap((node) => [node, ...below(node.id)]);
  return below(0);
}

/** The categories of documents, as far as the caller may see them. */
export async function categoriesOf(ctx: Context, ids: number[]): Promise<Map<number, Named[]>> {
  const known = seesAll(ctx) ? await loadCategories(ctx.db) : await getVisibleCategories(ctx);
  const byId = new Map(known.map(({ id, title, parent_id }) => [id, { id, title, parent_id }]));
  const links = await ctx.db.select().from(documentCategories).where(inArray(documentCategories.document_id, ids));
  const grouped = Map.groupBy(links, ({ document_id }) => document_id);
  const named = (each: typeof links) => inTreeOrder(each.flatMap(({ category_id }) => byId.get(category_id) ?? []));
  return new Map([...grouped].map(([id, each]) => [id, named(each)]));
}

/**
 * The given categories with all above them. Only ones in use may be chosen; `kept` are those a
 * document already has. Call it with the tree shared.
 */
export async function categoryPath(ctx: Context, chosen: number[], kept: readonly number[] = []): Promise<number[]> {
  const all = await loadCategories(ctx.db);
  const path = new Set<number>();
  for (const id of chosen) {
    const chain = chainOf(all, id);
    const isUsable = chain.length > 0 && chain.every(({ enable }) => enable);
    if (!isUsable && !kept.includes(id)) throw documentErrors.unknownCategory();
    for (const each of chain) path.add(each.id);
  }
  return [...path].sort((a, b) => a - b);
}

/** The documents stand in these categories and no others. Call it with the documents locked. */
export async function replaceCategories(ctx: Context, documentIds: number[], path: number[]): Promise<void> {
  const isTheirs = inArray(documentCategories.document_id, documentIds);
  const before = await ctx.db
    .selectDistinct({ id: documentCategories.category_id })
    .from(documentCategories)
    .where(isTheirs);
  // All that will be counted anew, in one order, before the first of them is.
  await ctx.db
    .select({ id: categories.id })
    .from(categories)
    .where(inArray(categories.id, [...path, ...before.map(({ id }) => id)]))
    .orderBy(categories.id)
    .for('no key update');
  await ctx.db.delete(documentCategories).where(and(isTheirs, notInArray(documentCategories.category_id, path)));
  await linkCategories(ctx, documentIds, path);
}

/** Puts new documents into these categories. */
export const linkCategories = (ctx: Context, documentIds: number[], path: number[]) =>
  ctx.db.execute(sql`
    insert into ${documentCategories} (document_id, category_id)
    select document_id, category_id
    from unnest(${sql.param(documentIds)}::bigint[]) document_id
    cross join unnest(${sql.param(path)}::bigint[]) category_id
    on conflict do nothing`);

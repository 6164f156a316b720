import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { linkAttachments } from '#modules/attachment/link-attachments.ts';
import { readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import type { Db } from '#platform/server/db/db.ts';
import { type OrderTerm, pageSlice, parseOrder, textContainsWords } from '#platform/server/db/list-query.ts';
import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { type Category, categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import { visibleCategories } from './category-tree.ts';

/** Live cache key: changes invalidate the cached categories on all nodes. */
export const CATEGORIES_CACHE_KEY = 'categories';

const collator = new Intl.Collator('zh-CN', { numeric: true });
const columns = {
  ...getTableColumns(categories),
  parent_id: sql<number>`coalesce(${categories.parent_id}, 0)`.mapWith(Number),
};

/** Sorted by parent, then by descending `sort`, then by title in Chinese collation. */
export async function loadCategories(db: Db): Promise<Category[]> {
  const rows = await db.select(columns).from(categories).orderBy(asc(categories.id));
  return rows.sort((a, b) => a.parent_id - b.parent_id || b.sort - a.sort || collator.compare(a.title, b.title));
}

export const getVisibleCategories = (ctx: Context): Promise<Category[]> =>
  readThroughLiveCache(ctx, CATEGORIES_CACHE_KEY, async (db) => visibleCategories(await loadCategories(db)));

type ListInput = {
  page?: number;
  size?: number;
  wd?: string;
  order?: string;
  sort?: string;
  parent_id?: number[];
  enable?: boolean[];
};
const orderColumns = [
  ...['id', 'parent_id', 'title', 'doc_count', 'sort', 'enable', 'created_at', 'updated_at'],
] as (keyof Category)[];

/** Returns all rows unless a page is requested. Holders of the permission also get disabled categories. */
export async function listCategories(ctx: Context, input: ListInput) {
  const seesAll = hasPermission(ctx, 'CategoryAPI/ListCategory');
  const rows = seesAll ? await loadCategories(ctx.db) : await getVisibleCategories(ctx);
  const order = parseOrder(input, orderColumns);
  const matchingRows = rows.filter(
    (row) =>
      (!input.parent_id || input.parent_id.includes(row.parent_id)) &&
      (!input.enable || !seesAll || input.enable.includes(row.enable)) &&
      (!input.wd || textContainsWords([row.title, row.description], input.wd)),
  );
  if (order.length > 0) matchingRows.sort((a, b) => compareByOrder(a, b, order));
  return { total: matchingRows.length, category: pageSlice(matchingRows, input) };
}

function compareByOrder(a: Category, b: Category, order: OrderTerm<keyof Category>[]): number {
  for (const { column, descending } of order) {
    const [left, right] = [a[column], b[column]];
    const difference = typeof left === 'string' ? collator.compare(left, String(right)) : Number(left) - Number(right);
    if (difference !== 0) return descending ? -difference : difference;
  }
  return 0;
}

export async function getCategory(ctx: Context, { id }: { id: number }): Promise<Category> {
  const [row] = await ctx.db.select(columns).from(categories).where(eq(categories.id, id));
  if (!row) throw categoryErrors.notFound();
  return row;
}

/** Serializes changes of the tree: two concurrent moves could form a cycle that neither detects. */
export const lockCategoryTree = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${CATEGORIES_CACHE_KEY}, 0))`);

/** Prevents changes of the tree until the transaction ends; concurrent holders of this lock are allowed. */
export const lockCategoryTreeShared = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${CATEGORIES_CACHE_KEY}, 0))`);

/** Cover and icon must be files uploaded to this site. */
export function assertUploadedPictures(...paths: (string | undefined)[]): void {
  if (paths.some((path) => path && !isPictureUploadPath(path))) throw categoryErrors.foreignPicture();
}

export async function markCategoryPicturesUsed(ctx: Context, id: number, paths: string[]): Promise<void> {
  const missingPaths = await linkAttachments(ctx, attachmentTypes.category, id, paths);
  if (missingPaths.length > 0) throw categoryErrors.foreignPicture();
}

import { asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { linkAttachments } from '#modules/attachment/attachment.ts';
import { readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import type { Db } from '#platform/server/db/db.ts';
import { type OrderTerm, pageSlice, parseOrder, textContainsWords } from '#platform/server/db/list-query.ts';
import { isUploadPath } from '#platform/server/storage/upload-path.ts';
import { type Category, categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import { visibleOf } from './tree.ts';

/** Under this name changes are announced to all nodes. */
export const CATEGORIES = 'categories';

const collator = new Intl.Collator('zh-CN', { numeric: true });
const columns = {
  ...getTableColumns(categories),
  parent_id: sql<number>`coalesce(${categories.parent_id}, 0)`.mapWith(Number),
};

/** By parent, then the larger `sort` first, then by title in the order of Chinese dictionaries. */
export async function loadCategories(db: Db): Promise<Category[]> {
  const rows = await db.select(columns).from(categories).orderBy(asc(categories.id));
  return rows.sort((a, b) => a.parent_id - b.parent_id || b.sort - a.sort || collator.compare(a.title, b.title));
}

/** What visitors see, kept in memory. */
export const getVisibleCategories = (ctx: Context): Promise<Category[]> =>
  readThroughLiveCache(ctx, CATEGORIES, async (db) => visibleOf(await loadCategories(db)));

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

/** Whole by default. Holders of the permission see all rows, each with its own switch. */
export async function listCategories(ctx: Context, input: ListInput) {
  const seesAll = hasPermission(ctx, 'CategoryAPI/ListCategory');
  const rows = seesAll ? await loadCategories(ctx.db) : await getVisibleCategories(ctx);
  const order = parseOrder(input, orderColumns);
  const wanted = rows.filter(
    (row) =>
      (!input.parent_id || input.parent_id.includes(row.parent_id)) &&
      (!input.enable || !seesAll || input.enable.includes(row.enable)) &&
      (!input.wd || textContainsWords([row.title, row.description], input.wd)),
  );
  if (order.length > 0) wanted.sort((a, b) => compare(a, b, order));
  return { total: wanted.length, category: pageSlice(wanted, input) };
}

function compare(a: Category, b: Category, order: OrderTerm<keyof Category>[]): number {
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

/** One change of the tree at a time: two moves together could close a ring neither of them sees. */
export const lockTree = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${CATEGORIES}, 0))`);

/** Nobody changes the tree before this transaction has ended; others may read it too. */
export const shareTree = (ctx: Context) =>
  ctx.db.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended(${CATEGORIES}, 0))`);

/** Cover and icon must be pictures of this site. */
export function refuseForeignPictures(...paths: (string | undefined)[]): void {
  if (paths.some((path) => path && !isUploadPath(path))) throw categoryErrors.foreignPicture();
}

export async function linkPictures(ctx: Context, id: number, paths: string[]): Promise<void> {
  const missing = await linkAttachments(ctx, attachmentTypes.category, id, paths);
  if (missing.length > 0) throw categoryErrors.foreignPicture();
}

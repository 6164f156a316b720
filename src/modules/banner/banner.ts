import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { linkAttachments, releaseAttachments } from '#modules/attachment/link-attachments.ts';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { changeAndInvalidate, readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import { containsWords, countRows, orderByTerms, pageSlice, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import { type Banner, bannerErrors } from './banner.contract.ts';
import { banners } from './banner.table.ts';

/** Live cache key: changes invalidate the cached banners on all nodes. */
export const BANNERS_CACHE_KEY = 'banners';

type ListInput = {
  page: number;
  size: number;
  wd?: string;
  order?: string;
  sort?: string;
  type?: number[];
  enable?: boolean[];
};
type Fields = Pick<Banner, 'title' | 'description' | 'path' | 'url' | 'sort' | 'enable' | 'type'>;

const { id, title, url, sort, enable, type, created_at, updated_at } = banners;
const orderColumns = { id, title, sort, enable, type, created_at, updated_at };
const defaultOrder = [desc(enable), desc(sort), asc(id)];

/** Enabled banners for visitors, without the notes and sort values of administrators. */
const getPublicBanners = (ctx: Context): Promise<Banner[]> =>
  readThroughLiveCache(ctx, BANNERS_CACHE_KEY, async (db) => {
    const rows = await db
      .select()
      .from(banners)
      .where(eq(enable, true))
      .orderBy(...defaultOrder);
    return rows.map((row) => ({ ...row, description: '', sort: 0 }));
  });

export async function listBanners(ctx: Context, input: ListInput) {
  const order = orderByTerms(input, orderColumns, defaultOrder);
  if (!hasPermission(ctx, 'BannerAPI/ListBanner')) {
    const rows = (await getPublicBanners(ctx)).filter((row) => input.type?.includes(row.type) ?? true);
    return { total: rows.length, banner: pageSlice(rows, input) };
  }
  const condition = and(
    input.type && inArray(type, input.type),
    input.enable && inArray(enable, input.enable),
    containsWords([title, banners.description, url], input.wd),
  );
  const { limit = input.size, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select()
    .from(banners)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { total: await countRows(ctx.db, banners, condition), banner: rows };
}

export async function getBanner(ctx: Context, input: { id: number }): Promise<Banner> {
  const [row] = await ctx.db.select().from(banners).where(eq(id, input.id));
  if (!row) throw bannerErrors.notFound();
  return row;
}

async function markBannerPictureUsed(ctx: Context, bannerId: number, path: string): Promise<void> {
  const missingPaths = await linkAttachments(ctx, attachmentTypes.banner, bannerId, [path]);
  if (missingPaths.length > 0 || !isPictureUploadPath(path)) throw bannerErrors.foreignPicture();
}

const auditTargetOf = ({ id, title: name }: Banner) => auditTarget('横幅', [{ id, name }]);

export const createBanner = (ctx: Context, fields: Fields): Promise<Banner> =>
  changeAndInvalidate(ctx, BANNERS_CACHE_KEY, async (ctx) => {
    const [row] = await ctx.db.insert(banners).values(fields).returning();
    if (!row) throw bannerErrors.notFound();
    await markBannerPictureUsed(ctx, row.id, row.path);
    await recordAudit(ctx, { action: '创建横幅', target: auditTargetOf(row), after: fields });
    return row;
  });

export async function updateBanner(ctx: Context, { id: bannerId, ...change }: { id: number } & Partial<Fields>) {
  await changeAndInvalidate(ctx, BANNERS_CACHE_KEY, async (ctx) => {
    const before = await getBanner(ctx, { id: bannerId });
    const [after] = await ctx.db
      .update(banners)
      .set({ ...change, updated_at: sql`now()` })
      .where(eq(id, bannerId))
      .returning();
    if (!after) throw bannerErrors.notFound();
    await markBannerPictureUsed(ctx, after.id, after.path);
    await recordAudit(ctx, { action: '更新横幅', target: auditTargetOf(before), before, after });
  });
  return {};
}

export async function deleteBanners(ctx: Context, input: { id: number[] }) {
  await changeAndInvalidate(ctx, BANNERS_CACHE_KEY, async (ctx) => {
    const rows = await ctx.db.delete(banners).where(inArray(id, input.id)).returning();
    await releaseAttachments(ctx, attachmentTypes.banner, input.id);
    await recordRemoval(
      ctx,
      { action: '删除横幅', kind: '横幅', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  });
  return {};
}

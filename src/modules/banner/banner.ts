import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { linkAttachments, releaseAttachments } from '#modules/attachment/attachment.ts';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { changeLive, readLive } from '#platform/server/cache/live-values.ts';
import { type Context, can } from '#platform/server/context.ts';
import { contains, countRows, orderBy, pageRange, pageSlice } from '#platform/server/db/list-query.ts';
import { isUploadPath } from '#platform/server/storage/upload-path.ts';
import { type Banner, bannerErrors } from './banner.contract.ts';
import { banners } from './banner.table.ts';

/** Under this name changes are announced to all nodes. */
export const BANNERS = 'banners';

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
const usual = [desc(enable), desc(sort), asc(id)];

/** What visitors see. Notes and order are the administrators' business. */
const getShown = (ctx: Context): Promise<Banner[]> =>
  readLive(ctx, BANNERS, async (db) => {
    const rows = await db
      .select()
      .from(banners)
      .where(eq(enable, true))
      .orderBy(...usual);
    return rows.map((row) => ({ ...row, description: '', sort: 0 }));
  });

export async function listBanners(ctx: Context, input: ListInput) {
  const order = orderBy(input, orderColumns, usual);
  if (!can(ctx, 'BannerAPI/ListBanner')) {
    const rows = (await getShown(ctx)).filter((row) => input.type?.includes(row.type) ?? true);
    return { total: rows.length, banner: pageSlice(rows, input) };
  }
  const wanted = and(
    input.type && inArray(type, input.type),
    input.enable && inArray(enable, input.enable),
    contains([title, banners.description, url], input.wd),
  );
  const { limit = input.size, offset } = pageRange(input);
  const rows = await ctx.db
    .select()
    .from(banners)
    .where(wanted)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { total: await countRows(ctx.db, banners, wanted), banner: rows };
}

export async function getBanner(ctx: Context, input: { id: number }): Promise<Banner> {
  const [row] = await ctx.db.select().from(banners).where(eq(id, input.id));
  if (!row) throw bannerErrors.notFound();
  return row;
}

async function linkPicture(ctx: Context, bannerId: number, path: string): Promise<void> {
  const missing = await linkAttachments(ctx, attachmentTypes.banner, bannerId, [path]);
  if (missing.length > 0 || !isUploadPath(path)) throw bannerErrors.foreignPicture();
}

const targetOfBanner = ({ id, title: name }: Banner) => auditTarget('横幅', [{ id, name }]);

export const createBanner = (ctx: Context, fields: Fields): Promise<Banner> =>
  changeLive(ctx, BANNERS, async (ctx) => {
    const [row] = await ctx.db.insert(banners).values(fields).returning();
    if (!row) throw bannerErrors.notFound();
    await linkPicture(ctx, row.id, row.path);
    await recordAudit(ctx, { action: '创建横幅', target: targetOfBanner(row), after: fields });
    return row;
  });

export async function updateBanner(ctx: Context, { id: wanted, ...change }: { id: number } & Partial<Fields>) {
  await changeLive(ctx, BANNERS, async (ctx) => {
    const before = await getBanner(ctx, { id: wanted });
    const [after] = await ctx.db
      .update(banners)
      .set({ ...change, updated_at: sql`now()` })
      .where(eq(id, wanted))
      .returning();
    if (!after) throw bannerErrors.notFound();
    await linkPicture(ctx, after.id, after.path);
    await recordAudit(ctx, { action: '更新横幅', target: targetOfBanner(before), before, after });
  });
  return {};
}

export async function deleteBanners(ctx: Context, input: { id: number[] }) {
  await changeLive(ctx, BANNERS, async (ctx) => {
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

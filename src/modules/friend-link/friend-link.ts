import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { changeLive, readLive } from '#platform/server/cache/live-values.ts';
import { type Context, can } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { contains, orderBy, pageSlice } from '#platform/server/db/list-query.ts';
import { type FriendLink, friendLinkErrors } from './friend-link.contract.ts';
import { friendLinks } from './friend-link.table.ts';

/** Under this name changes are announced to all nodes. */
export const FRIEND_LINKS = 'friend-links';

type ListInput = {
  page?: number;
  size?: number;
  wd?: string;
  order?: string;
  sort?: string;
  enable?: boolean[];
};
type Fields = Pick<FriendLink, 'title' | 'link' | 'description' | 'sort' | 'enable'>;

const { id, title, link, sort, enable, created_at, updated_at } = friendLinks;
const orderColumns = { id, title, link, sort, enable, created_at, updated_at };
const usual = [desc(enable), desc(sort), asc(id)];

/** What visitors see. Notes and order are the administrators' business. */
const getShown = (ctx: Context): Promise<FriendLink[]> =>
  readLive(ctx, FRIEND_LINKS, async (db) => {
    const rows = await db
      .select()
      .from(friendLinks)
      .where(eq(enable, true))
      .orderBy(...usual);
    return rows.map((row) => ({ ...row, description: '', sort: 0 }));
  });

export async function listFriendLinks(ctx: Context, input: ListInput) {
  const order = orderBy(input, orderColumns, usual);
  const rows = can(ctx, 'FriendlinkAPI/ListFriendlink')
    ? await ctx.db
        .select()
        .from(friendLinks)
        .where(
          and(
            input.enable && inArray(enable, input.enable),
            contains([title, link, friendLinks.description], input.wd),
          ),
        )
        .orderBy(...order)
    : await getShown(ctx);
  return { total: rows.length, friendlink: pageSlice(rows, input) };
}

/** Visitors get an enabled link without its notes; holders of the permission get every link whole. */
export async function getFriendLink(ctx: Context, input: { id: number }): Promise<FriendLink> {
  if (can(ctx, 'FriendlinkAPI/GetFriendlink')) return readFriendLink(ctx, input.id);
  const link = (await getShown(ctx)).find((row) => row.id === input.id);
  if (!link) throw friendLinkErrors.notFound();
  return link;
}

async function readFriendLink(ctx: Context, linkId: number): Promise<FriendLink> {
  const [row] = await ctx.db.select().from(friendLinks).where(eq(id, linkId));
  if (!row) throw friendLinkErrors.notFound();
  return row;
}

const targetOfLink = ({ id, title: name }: FriendLink) => auditTarget('友链', [{ id, name }]);

export const createFriendLink = (ctx: Context, fields: Fields): Promise<FriendLink> =>
  changeLive(ctx, FRIEND_LINKS, async (ctx) => {
    const [row] = await ctx.db.insert(friendLinks).values(fields).onConflictDoNothing().returning();
    if (!row) throw friendLinkErrors.exists();
    await recordAudit(ctx, { action: '创建友链', target: targetOfLink(row), after: fields });
    return row;
  });

export async function updateFriendLink(ctx: Context, { id: wanted, ...change }: { id: number } & Partial<Fields>) {
  try {
    await changeLive(ctx, FRIEND_LINKS, async (ctx) => {
      const before = await readFriendLink(ctx, wanted);
      const [after] = await ctx.db
        .update(friendLinks)
        .set({ ...change, updated_at: sql`now()` })
        .where(eq(id, wanted))
        .returning();
      if (!after) throw friendLinkErrors.notFound();
      await recordAudit(ctx, { action: '更新友链', target: targetOfLink(before), before, after });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'friend_links_link_key')) throw friendLinkErrors.exists();
    throw error;
  }
  return {};
}

export async function deleteFriendLinks(ctx: Context, input: { id: number[] }) {
  await changeLive(ctx, FRIEND_LINKS, async (ctx) => {
    const rows = await ctx.db.delete(friendLinks).where(inArray(id, input.id)).returning();
    await recordRemoval(
      ctx,
      { action: '删除友链', kind: '友链', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  });
  return {};
}

import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { changeAndInvalidate, readThroughLiveCache } from '#platform/server/cache/live-cache-access.ts';
import { type Context, hasPermission } from '#platform/server/context.ts';
import { isUniqueViolation } from '#platform/server/db/db.ts';
import { containsWords, orderByTerms, pageSlice } from '#platform/server/db/list-query.ts';
import { type FriendLink, friendLinkErrors } from './friend-link.contract.ts';
import { friendLinks } from './friend-link.table.ts';

/** Live cache key: changes invalidate the cached links on all nodes. */
export const FRIEND_LINKS_CACHE_KEY = 'friend-links';

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
const defaultOrder = [desc(enable), desc(sort), asc(id)];

/** Enabled links for visitors, without the notes and sort values of administrators. */
const getPublicFriendLinks = (ctx: Context): Promise<FriendLink[]> =>
  readThroughLiveCache(ctx, FRIEND_LINKS_CACHE_KEY, async (db) => {
    const rows = await db
      .select()
      .from(friendLinks)
      .where(eq(enable, true))
      .orderBy(...defaultOrder);
    return rows.map((row) => ({ ...row, description: '', sort: 0 }));
  });

export async function listFriendLinks(ctx: Context, input: ListInput) {
  const order = orderByTerms(input, orderColumns, defaultOrder);
  const rows = hasPermission(ctx, 'FriendlinkAPI/ListFriendlink')
    ? await ctx.db
        .select()
        .from(friendLinks)
        .where(
          and(
            input.enable && inArray(enable, input.enable),
            containsWords([title, link, friendLinks.description], input.wd),
          ),
        )
        .orderBy(...order)
    : await getPublicFriendLinks(ctx);
  return { total: rows.length, friendlink: pageSlice(rows, input) };
}

/** Visitors get enabled links without notes; holders of the permission get all links with all fields. */
export async function getFriendLink(ctx: Context, input: { id: number }): Promise<FriendLink> {
  if (hasPermission(ctx, 'FriendlinkAPI/GetFriendlink')) return selectFriendLink(ctx, input.id);
  const link = (await getPublicFriendLinks(ctx)).find((row) => row.id === input.id);
  if (!link) throw friendLinkErrors.notFound();
  return link;
}

async function selectFriendLink(ctx: Context, linkId: number): Promise<FriendLink> {
  const [row] = await ctx.db.select().from(friendLinks).where(eq(id, linkId));
  if (!row) throw friendLinkErrors.notFound();
  return row;
}

const auditTargetOf = ({ id, title: name }: FriendLink) => auditTarget('友链', [{ id, name }]);

export const createFriendLink = (ctx: Context, fields: Fields): Promise<FriendLink> =>
  changeAndInvalidate(ctx, FRIEND_LINKS_CACHE_KEY, async (ctx) => {
    const [row] = await ctx.db.insert(friendLinks).values(fields).onConflictDoNothing().returning();
    if (!row) throw friendLinkErrors.exists();
    await recordAudit(ctx, { action: '创建友链', target: auditTargetOf(row), after: fields });
    return row;
  });

export async function updateFriendLink(ctx: Context, { id: linkId, ...change }: { id: number } & Partial<Fields>) {
  try {
    await changeAndInvalidate(ctx, FRIEND_LINKS_CACHE_KEY, async (ctx) => {
      const before = await selectFriendLink(ctx, linkId);
      const [after] = await ctx.db
        .update(friendLinks)
        .set({ ...change, updated_at: sql`now()` })
        .where(eq(id, linkId))
        .returning();
      if (!after) throw friendLinkErrors.notFound();
      await recordAudit(ctx, { action: '更新友链', target: auditTargetOf(before), before, after });
    });
  } catch (error) {
    if (isUniqueViolation(error, 'friend_links_link_key')) throw friendLinkErrors.exists();
    throw error;
  }
  return {};
}

export async function deleteFriendLinks(ctx: Context, input: { id: number[] }) {
  await changeAndInvalidate(ctx, FRIEND_LINKS_CACHE_KEY, async (ctx) => {
    const rows = await ctx.db.delete(friendLinks).where(inArray(id, input.id)).returning();
    await recordRemoval(
      ctx,
      { action: '删除友链', kind: '友链', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  });
  return {};
}

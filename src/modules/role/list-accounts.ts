import { and, desc, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { users } from '#modules/account/account.table.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, hasPermission, type UserContext } from '#platform/server/context.ts';
import { containsWords, countOrEstimate, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import { isBannedNow } from './authority.ts';
import { type Account, type accountApi, accountErrors } from './manage-accounts.contract.ts';
import { userRoles } from './role.table.ts';
import { rightsOfUser } from './user-roles.ts';

type ListInput = ParsedInputOf<typeof accountApi.list>;
type AccountList = { total: number; user: Account[] };

const { password_hash: _, is_banned: __, ...columns } = getTableColumns(users);
const { id, username, created_at, login_at, credit_count } = users;
const { doc_count, follow_count, fans_count, favorite_count, comment_count } = users;

/** Visitors may sort only by public columns, because the order reveals the values. */
const counts = { doc_count, follow_count, fans_count, favorite_count, comment_count };
const publicOrder = { id, username, created_at, ...counts };
const publicColumns = {
  id,
  username,
  created_at,
  ...counts,
  avatar: users.avatar,
  signature: users.signature,
};
const staffOrder = { ...publicOrder, login_at, credit_count };

/** Private fields as callers without the permission get them. */
const hiddenFields = {
  realname: '',
  identity: '',
  email: '',
  mobile: '',
  address: '',
  credit_count: 0,
  login_at: null,
  last_login_ip: '',
  register_ip: '',
  group_id: [],
  status: 0,
  ban_reason: '',
  banned_until: null,
  hide_favorite: false,
  hide_follow: false,
};

/** `limit` returns the first rows and overrides page and size. */
const toAccountLimitAndOffset = ({ limit, page, size }: ListInput) => {
  const { limit: pageLimit = size, offset } = toLimitAndOffset({ page, size });
  return limit === undefined ? { limit: pageLimit, offset } : { limit, offset: 0 };
};

export const listAccounts = (ctx: Context, input: ListInput): Promise<AccountList> =>
  hasPermission(ctx, 'UserAPI/ListUser')
    ? listAccountsWithPrivateFields(ctx, input)
    : listAccountsWithPublicFields(ctx, input);

async function listAccountsWithPublicFields(ctx: Context, input: ListInput): Promise<AccountList> {
  const { limit, offset } = toAccountLimitAndOffset(input);
  const condition = input.id && inArray(id, input.id);
  const rows = await ctx.db
    .select(publicColumns)
    .from(users)
    .where(condition)
    .orderBy(...orderByTerms(input, publicOrder, [desc(id)]))
    .limit(limit)
    .offset(offset);
  const user = rows.map((row) => ({ ...hiddenFields, ...row }));
  return { total: await countAccountsAtLeast(ctx, condition, offset + user.length), user };
}

async function listAccountsWithPrivateFields(ctx: Context, input: ListInput): Promise<AccountList> {
  const { limit, offset } = toAccountLimitAndOffset(input);
  const isBanned = isBannedNow(ctx.now());
  const condition = and(
    input.id && inArray(id, input.id),
    input.group_id && isInRoles(input.group_id),
    input.status && inArray(sql`${isBanned}::int`, input.status),
    containsWords([username, users.realname, users.email, users.mobile], input.wd),
  );
  const rows = await ctx.db
    .select({
      ...columns,
      status: sql<number>`${isBanned}::int`,
      group_id: sql`array(select ${userRoles.role_id} from ${userRoles}
        where ${userRoles.user_id} = ${id} order by 1)`.mapWith((ids: unknown[]) => ids.map(Number)),
    })
    .from(users)
    .where(condition)
    .orderBy(...orderByTerms(input, staffOrder, [desc(id)]))
    .limit(limit)
    .offset(offset);
  const user = rows.map((row) =>
    // An expired ban is not shown.
    row.status === 1 ? row : { ...row, ban_reason: '', banned_until: null },
  );
  return { total: await countAccountsAtLeast(ctx, condition, offset + user.length), user };
}

/** Not less than the number of rows up to this page, because the count of large tables is an estimate. */
const countAccountsAtLeast = async (ctx: Context, condition: SQL | undefined, minimum: number) =>
  Math.max(minimum, await countOrEstimate(ctx.db, users, condition));

const isInRoles = (roleIds: number[]): SQL =>
  sql`exists (select 1 from ${userRoles} where ${userRoles.user_id} = ${id} and ${inArray(userRoles.role_id, roleIds)})`;

export async function assertMayUpload(ctx: UserContext) {
  if (!(await rightsOfUser(ctx)).mayUpload) throw accountErrors.mayNotUpload();
  return {};
}

import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { type Context, inTransaction } from '#platform/server/context.ts';
import { containsWords, orderByTerms, pageSlice } from '#platform/server/db/list-query.ts';
import { type permissionApi, roleErrors } from './role.contract.ts';
import { permissions } from './role.table.ts';

const { id, method, path, title, created_at, updated_at } = permissions;
const orderColumns = { id, method, path, title, created_at, updated_at };

export async function listPermissions(ctx: Context, input: ParsedInputOf<typeof permissionApi.list>) {
  const methods = input.method?.map((each) => each.toUpperCase());
  const rows = await ctx.db
    .select()
    .from(permissions)
    .where(
      and(
        containsWords([title, permissions.description], input.wd),
        containsWords([path], input.path),
        methods && inArray(sql`upper(${method})`, methods),
      ),
    )
    .orderBy(...orderByTerms(input, orderColumns, [asc(path), asc(id)]));
  return { total: rows.length, permission: pageSlice(rows, input) };
}

export async function getPermission(ctx: Context, input: { id: number }) {
  const [row] = await ctx.db.select().from(permissions).where(eq(id, input.id));
  if (!row) throw roleErrors.permissionNotFound();
  return row;
}

/** Only title and description can be edited; method and path identify the permission in the code. */
export async function updatePermission(
  ctx: Context,
  { id: permissionId, ...change }: ParsedInputOf<typeof permissionApi.update>,
) {
  await inTransaction(ctx, async (ctx) => {
    const before = await getPermission(ctx, { id: permissionId });
    const [after] = await ctx.db.update(permissions).set(change).where(eq(id, permissionId)).returning();
    const target = auditTarget('权限', [{ id: permissionId, name: before.title }]);
    await recordAudit(ctx, { action: '更新权限信息', target, before, after });
  });
  return {};
}

import { eq } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { inTransaction, type UserContext } from '#platform/server/context.ts';
import type { userApi } from './account.contract.ts';
import { users } from './account.table.ts';
import { announceUserChange } from './announce-user-change.ts';

export async function updatePrivacy(ctx: UserContext, changes: ParsedInputOf<typeof userApi.updatePrivacy>) {
  if (Object.values(changes).every((value) => value === undefined)) return {};
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.update(users).set(changes).where(eq(users.id, ctx.user.id));
    await announceUserChange(ctx);
  });
  return {};
}

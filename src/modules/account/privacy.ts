import { eq } from 'drizzle-orm';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import type { userApi } from './account.contract.ts';
import { users } from './account.table.ts';

export async function updatePrivacy(ctx: UserContext, changes: ParsedInputOf<typeof userApi.updatePrivacy>) {
  if (Object.values(changes).every((value) => value === undefined)) return {};
  await ctx.db.update(users).set(changes).where(eq(users.id, ctx.user.id));
  return {};
}

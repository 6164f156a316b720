import { allowedPages } from '#modules/account/permission-pages.contract.ts';
import { getPublicSettings, getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context, SessionUser } from '#platform/server/context.ts';
import { loadUser } from './authenticate.ts';
import { permissionCatalogue } from './permission-catalogue.ts';
import { siteAccessErrors } from './site-access.contract.ts';

const RETRY_SECONDS = 300;

/** Root and users who may open at least one page of the back-office. */
function mayAdminister(user: SessionUser | null): boolean {
  if (!user) return false;
  const heldPermissions = permissionCatalogue.filter(({ name }) => user.permissions.has(name));
  return user.isRoot || allowedPages(heldPermissions.map((each) => ({ ...each, id: 1 }))).length > 0;
}

/** Whether the site is closed or requires a login. */
export async function isSiteRestricted(ctx: Context): Promise<boolean> {
  const { security } = await getSettings(ctx);
  return security.is_close || security.login_required;
}

/** Endpoints, pages and files all call this to enforce `security.is_close` and `security.login_required`. */
export async function assertSiteOpen(ctx: Context): Promise<void> {
  const { security } = await getSettings(ctx);
  if (security.is_close && !mayAdminister(ctx.user)) {
    const { close_statement } = (await getPublicSettings(ctx)).security;
    throw siteAccessErrors.closed(close_statement || undefined, RETRY_SECONDS);
  }
  if (security.login_required && !ctx.user) throw httpErrors.loginRequired();
}

/** The same check for an account that is about to log in. */
export async function assertAccountMayEnter(ctx: Context, userId: number): Promise<void> {
  if (await isSiteRestricted(ctx)) await assertSiteOpen({ ...ctx, user: await loadUser(ctx, userId, 0) });
}

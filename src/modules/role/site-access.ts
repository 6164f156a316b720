import { allowedPages } from '#modules/account/permission-pages.contract.ts';
import { getPublicSettings, getSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context, SessionUser } from '#platform/server/context.ts';
import { loadUser } from './authenticate.ts';
import { permissionCatalogue } from './permission-catalogue.ts';
import { siteAccessErrors } from './site-access.contract.ts';

const RETRY_SECONDS = 300;

/** Whether somebody may enter the back-office: root, and holders of at least one of its pages. */
function mayAdminister(user: SessionUser | null): boolean {
  if (!user) return false;
  const held = permissionCatalogue.filter(({ name }) => user.permissions.has(name));
  return user.isRoot || allowedPages(held.map((each) => ({ ...each, id: 1 }))).length > 0;
}

/** Whether the site asks at all who comes in. */
export async function isSiteRestricted(ctx: Context): Promise<boolean> {
  const { security } = await getSettings(ctx);
  return security.is_close || security.login_required;
}

/**
 * The one place where `security.is_close` and `security.login_required` are decided: endpoints,
 * pages and files all ask here.
 */
export async function assertSiteOpen(ctx: Context): Promise<void> {
  const { security } = await getSettings(ctx);
  if (security.is_close && !mayAdminister(ctx.user)) {
    const { close_statement } = (await getPublicSettings(ctx)).security;
    throw siteAccessErrors.closed(close_statement || undefined, RETRY_SECONDS);
  }
  if (security.login_required && !ctx.user) throw httpErrors.loginRequired();
}

/** The same for somebody who is about to log in. */
export async function assertAccountMayEnter(ctx: Context, userId: number): Promise<void> {
  if (await isSiteRestricted(ctx)) await assertSiteOpen({ ...ctx, user: await loadUser(ctx, userId, 0) });
}

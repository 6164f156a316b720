import { useSession, useUser } from '#modules/account/web/session.ts';
import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { siteAccessErrors } from '../site-access.contract.ts';

const codes = [siteAccessErrors.closed.code, httpErrors.loginRequired.code];

/** Whether the site as a whole refused; by code, for the server's own errors are of another copy. */
export const isSiteClosedError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

type Switches = Pick<PublicSettings['security'], 'is_close' | 'login_required'>;

/**
 * What keeps whoever looks outside, as far as the browser knows; the server decides. Before the
 * browser knows who looks, nothing does: the page came from the server, which asked.
 */
export function useSiteRestriction(security?: Switches): 'closed' | 'login' | null {
  const user = useUser();
  const mayAdminister = useSession(({ pages }) => pages.length > 0);
  const isKnown = useHydrated();
  if (!security || !isKnown) return null;
  if (security.is_close && !(user && mayAdminister)) return 'closed';
  return security.login_required && !user ? 'login' : null;
}

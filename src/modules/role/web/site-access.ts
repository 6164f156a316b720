import { useSession, useUser } from '#modules/account/web/session-store.ts';
import type { PublicSettings } from '#modules/settings/settings.contract.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { siteAccessErrors } from '../site-access.contract.ts';

const RESTRICTION_CODES = [siteAccessErrors.closed.code, httpErrors.loginRequired.code];

/** Compares error codes, because errors created on the server are instances of another class copy. */
export const isSiteClosedError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && RESTRICTION_CODES.includes(String(error.code));

type AccessSettings = Pick<PublicSettings['security'], 'is_close' | 'login_required'>;

/**
 * The restriction that applies to the current user, for display; the server enforces it. Null before hydration, when
 * the browser does not know the user: the server has rendered the page after its own check.
 */
export function useSiteRestriction(security?: AccessSettings): 'closed' | 'login' | null {
  const user = useUser();
  const mayAdminister = useSession(({ pages }) => pages.length > 0);
  const isHydrated = useHydrated();
  if (!security || !isHydrated) return null;
  if (security.is_close && !(user && mayAdminister)) return 'closed';
  return security.login_required && !user ? 'login' : null;
}

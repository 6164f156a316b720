import type { ReactNode } from 'react';
import { Link, redirect, useSearchParams } from 'react-router';
import { safeRedirect } from '#modules/account/web/safe-redirect.ts';
import { currentUser } from '#modules/account/web/session.ts';
import { settingsApi } from '#modules/settings/settings.contract.ts';
import { SiteLogo } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader } from '#platform/web/loader.ts';
import { NeedsScript } from '#platform/web/ui/no-script-notice.tsx';

/**
 * The login-check guard: a logged-in user is redirected to /user/{id}. A guarded site sends browsers
 * without its cookie here (decision 0012): they go on to the page they asked for, and the call for
 * the settings has brought them the cookie.
 */
export const loginCheck = browserLoader<null>(async (api, { request }) => {
  const user = currentUser();
  if (!user) return null;
  const home = `/user/${user.id}`;
  const returnPath = new URL(request.url).searchParams.get('redirect');
  if (returnPath === null) throw redirect(home);
  const { security } = await api(settingsApi.settings, {});
  const isGuarded = security.is_close || security.login_required;
  throw redirect(isGuarded ? safeRedirect(returnPath, home) : home);
});

/** The card in which one logs in, registers or recovers a password. */
export function AuthFrame({
  title,
  background,
  children,
}: {
  title: string;
  /** Address of a picture behind the card. */
  background: string;
  children: ReactNode;
}) {
  return (
    <main
      className="grid min-h-[calc(100dvh-170px)] place-items-center bg-linear-to-b from-bean-soft to-paper bg-cover bg-center px-4 py-12"
      style={background ? { backgroundImage: `url(${JSON.stringify(background)})` } : undefined}
    >
      <div className="card w-full max-w-105 p-6 md:p-10">
        <SiteLogo logo={useSettings().system.logo} />
        <h1 className="mt-4 font-serif text-28 font-bold">{title}</h1>
        <NeedsScript className="mt-6" />
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}

/** To another page of guests, which then leads back to the same place. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const wanted = useSearchParams()[0].get('redirect');
  return (
    <Link
      to={wanted ? `${to}?redirect=${encodeURIComponent(wanted)}` : to}
      className="quiet-link inline-flex min-h-10 items-center"
    >
      {children}
    </Link>
  );
}

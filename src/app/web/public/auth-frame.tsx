import type { ReactNode } from 'react';
import { Link, redirect, useSearchParams } from 'react-router';
import { safeRedirect } from '#modules/account/web/safe-redirect.ts';
import { getSessionUser } from '#modules/account/web/session-store.ts';
import { settingsApi } from '#modules/settings/settings.contract.ts';
import { SiteLogo } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader } from '#platform/web/page-loader.ts';
import { NoScriptNotice } from '#platform/web/ui/no-script-notice.tsx';

/**
 * Redirects a logged-in user to /user/{id}. A restricted site redirects browsers without the site access cookie to the
 * login (decision 0012): they are sent back to the requested page, after the call for the settings has set the cookie.
 */
export const redirectLoggedInUser = browserLoader<null>(async (api, { request }) => {
  const user = getSessionUser();
  if (!user) return null;
  const home = `/user/${user.id}`;
  const returnPath = new URL(request.url).searchParams.get('redirect');
  if (returnPath === null) throw redirect(home);
  const { security } = await api(settingsApi.settings, {});
  const isRestricted = security.is_close || security.login_required;
  throw redirect(isRestricted ? safeRedirect(returnPath, home) : home);
});

export function AuthFrame({
  title,
  background,
  children,
}: {
  title: string;
  /** URL of the background picture. */
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
        <NoScriptNotice className="mt-6" />
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}

export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const returnPath = useSearchParams()[0].get('redirect');
  return (
    <Link
      to={returnPath ? `${to}?redirect=${encodeURIComponent(returnPath)}` : to}
      className="quiet-link inline-flex min-h-10 items-center"
    >
      {children}
    </Link>
  );
}

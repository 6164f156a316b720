import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate, useRouteLoaderData, useSearchParams } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useSiteRestriction } from '#modules/role/web/site-access.ts';
import { isPublicPath } from '#modules/settings/public-paths.contract.ts';
import { useAnalytics } from '#modules/settings/web/use-analytics.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Footer } from './footer.tsx';
import type { HomeData } from './pages/home.tsx';
import { ProfileDialogHost } from './profile-dialog-host.tsx';
import { SiteClosed } from './site-closed.tsx';
import { TopBar } from './top-bar.tsx';

/** Document pages have a lower top bar to leave more room for reading. */
const isReader = (pathname: string) => pathname.startsWith('/document/');

export default function Shell() {
  const { pathname } = useLocation();
  const isHome = pathname === '/';
  const data = useRouteLoaderData('home') as HomeData | undefined;
  useAnalytics(useSettings().system.analytics, pathname);
  const isEmbedded = useSearchParams()[0].get('embed') === '1' && isReader(pathname);
  if (isEmbedded) return <PageIfSiteOpen />;
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute top-2 left-2 z-60 -translate-y-20 rounded-md bg-bean px-4 py-2 text-on-bean focus:translate-y-0"
      >
        跳到正文
      </a>
      <TopBar
        isHome={isHome}
        over={data && data.banners.length > 0 ? 'picture' : 'paper'}
        className={pathname === '/search' ? 'lg:hidden' : ''}
        slim={isReader(pathname)}
      />
      <div id="content" className="flex-1">
        <PageIfSiteOpen />
      </div>
      <Footer />
      <ProfileDialogHost />
    </div>
  );
}

/** Renders the page, unless the site was closed or began to require a login after it was opened. */
function PageIfSiteOpen() {
  const settings = useSettings();
  const { pathname } = useLocation();
  const accessRestriction = useSiteRestriction(settings.security);
  const isAccessDenied = accessRestriction !== null && !isPublicPath(pathname, settings);
  const loginHref = useLoginHref();
  const user = useUser();
  const navigate = useNavigate();
  useEffect(() => {
    if (isAccessDenied && accessRestriction === 'login') void navigate(loginHref, { replace: true });
  }, [isAccessDenied, accessRestriction, loginHref, navigate]);
  if (!isAccessDenied) return <Outlet />;
  if (accessRestriction === 'login') return null;
  const statement = settings.security.close_statement;
  return <SiteClosed statement={statement} logo={settings.system.logo} loginHref={user ? undefined : loginHref} />;
}

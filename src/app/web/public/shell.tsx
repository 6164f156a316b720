import { useEffect } from 'react';
import { Outlet, useLocation, useNavigate, useRouteLoaderData, useSearchParams } from 'react-router';
import { useUser } from '#modules/account/web/session.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useSiteRestriction } from '#modules/role/web/site-access.ts';
import { isPublicPath } from '#modules/settings/public-paths.contract.ts';
import { useAnalytics } from '#modules/settings/web/use-analytics.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Footer } from './footer.tsx';
import type { HomeData } from './pages/home.tsx';
import { ProfileHost } from './profile-host.tsx';
import { SiteClosed } from './site-closed.tsx';
import { TopBar } from './top-bar.tsx';

/** The pages of a document, where the top bar leaves more room for reading. */
const isReader = (pathname: string) => pathname.startsWith('/document/');

/** Top bar, page, footer. The search page brings its own header on desktops. */
export default function Shell() {
  const { pathname } = useLocation();
  const home = pathname === '/';
  const data = useRouteLoaderData('home') as HomeData | undefined;
  useAnalytics(useSettings().system.analytics, pathname);
  const isEmbedded = useSearchParams()[0].get('embed') === '1' && isReader(pathname);
  if (isEmbedded) return <Inside />;
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute top-2 left-2 z-60 -translate-y-20 rounded-md bg-bean px-4 py-2 text-on-bean focus:translate-y-0"
      >
        跳到正文
      </a>
      <TopBar
        home={home}
        over={data && data.banners.length > 0 ? 'picture' : 'paper'}
        className={pathname === '/search' ? 'lg:hidden' : ''}
        slim={isReader(pathname)}
      />
      <div id="content" className="flex-1">
        <Inside />
      </div>
      <Footer />
      <ProfileHost />
    </div>
  );
}

/** The page, unless the site was closed or asks for a login since it was opened. */
function Inside() {
  const settings = useSettings();
  const { pathname } = useLocation();
  const outside = useSiteRestriction(settings.security);
  const turnedAway = outside !== null && !isPublicPath(pathname, settings);
  const loginHref = useLoginHref();
  const user = useUser();
  const navigate = useNavigate();
  useEffect(() => {
    if (turnedAway && outside === 'login') void navigate(loginHref, { replace: true });
  }, [turnedAway, outside, loginHref, navigate]);
  if (!turnedAway) return <Outlet />;
  if (outside === 'login') return null;
  const statement = settings.security.close_statement;
  return <SiteClosed statement={statement} logo={settings.system.logo} loginHref={user ? undefined : loginHref} />;
}

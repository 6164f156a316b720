import { Outlet, useLocation, useRouteLoaderData } from 'react-router';
import { useAnalytics } from '#modules/settings/web/analytics.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Footer } from './footer.tsx';
import type { HomeData } from './pages/home.tsx';
import { ProfileHost } from './profile-host.tsx';
import { TopBar } from './top-bar.tsx';

/** Top bar, page, footer. The search page brings its own header on desktops. */
export default function Shell() {
  const { pathname } = useLocation();
  const home = pathname === '/';
  const data = useRouteLoaderData('home') as HomeData | undefined;
  useAnalytics(useSettings().system.analytics, pathname);
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
      />
      <div id="content" className="flex-1">
        <Outlet />
      </div>
      <Footer />
      <ProfileHost />
    </div>
  );
}

import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, NavLink } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { UserMenu } from '#modules/account/web/user-menu.tsx';
import { CategoryMenu } from '#modules/category/web/category-menu.tsx';
import { useVisibleCategories } from '#modules/category/web/use-categories.ts';
import { SiteLogoWithName } from '#modules/settings/web/site-logo.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { ThemeSwitch } from '#platform/web/ui/theme-switch.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { SearchBox } from './search-box.tsx';

const Bell = lazy(() =>
  import('#modules/notification/web/notification-bell.tsx').then((module) => ({ default: module.NotificationBell })),
);

const HOME_CATEGORY_COUNT = 6;

function useScrolled() {
  const [isScrolled, setIsScrolled] = useState(false);
  useEffect(() => {
    const updateScrolled = () => setIsScrolled(window.scrollY > 8);
    updateScrolled();
    window.addEventListener('scroll', updateScrolled, { passive: true });
    return () => window.removeEventListener('scroll', updateScrolled);
  }, []);
  return isScrolled;
}

/**
 * Stays at the top while the page scrolls. `over`: the background behind the bar on the home page; a picture needs light
 * text. `slim`: 48 instead of 64 pixels high.
 */
export function TopBar({
  isHome,
  over,
  slim = false,
  className = '',
}: {
  isHome: boolean;
  over?: 'paper' | 'picture';
  slim?: boolean;
  className?: string;
}) {
  const isScrolled = useScrolled();
  const isFloating = isHome && !isScrolled;
  const light = isFloating && over === 'picture';
  const hover = light
    ? 'hover:bg-white/15 hover:text-white focus-visible:outline-white'
    : 'hover:bg-bean-soft hover:text-bean';
  const link = `flex h-10 items-center rounded-md px-1.5 text-14 transition-colors lg:px-3 ${hover}`;
  return (
    <header
      data-top-bar={isFloating ? 'floating' : 'solid'}
      className={`sticky top-0 z-30 ${slim ? 'h-12' : 'h-16'} border-b transition-colors ${
        isFloating ? 'border-transparent' : 'border-line bg-surface'
      } ${light ? 'text-white' : 'text-ink'} ${className}`}
    >
      <div className="page-width flex h-full items-center gap-1">
        <Logo inverse={light} />
        <nav aria-label="主导航" className={`hidden items-center md:flex lg:ml-4 ${isHome ? 'min-w-0' : 'shrink-0'}`}>
          <NavLink to="/" end className={`shrink-0 ${link}`}>
            首页
          </NavLink>
          {isHome ? <HomeCategories className={link} /> : <CategoryMenu />}
        </nav>
        {isHome ? null : (
          <div className="ml-3 hidden w-full max-w-90 min-w-0 md:block">
            <SearchBox />
          </div>
        )}
        <div className="ml-auto hidden shrink-0 items-center gap-1 pl-3 md:flex">
          <ThemeSwitch className={hover} />
          <MemberNotificationBell className={hover} />
          <AccountMenu className={hover} />
        </div>
        <div className="-mr-2 ml-auto flex md:hidden">
          <MemberNotificationBell className={hover} />
          <MobileMenu className={hover} />
        </div>
      </div>
    </header>
  );
}

/** The logo leads to the back-office for users with access to it, otherwise to the home page. */
export function Logo({ inverse = false }: { inverse?: boolean }) {
  const { sitename } = useSettings().system;
  return (
    <Link
      to="/redirect/admin"
      rel="nofollow"
      aria-label={sitename}
      className={`shrink-0 rounded-sm ${inverse ? 'focus-visible:outline-white' : ''}`}
    >
      <SiteLogoWithName inverse={inverse} />
    </Link>
  );
}

function HomeCategories({ className }: { className: string }) {
  const roots = useVisibleCategories().slice(0, HOME_CATEGORY_COUNT);
  return roots.map(({ id, title }) => (
    <NavLink key={id} to={`/category/${id}`} title={title} className={`min-w-0 ${className}`}>
      <span className="max-w-28 truncate">{title}</span>
    </NavLink>
  ));
}

/** Visitors have no notifications and do not load the component. */
function MemberNotificationBell({ className }: { className: string }) {
  const isMember = useUser() !== null;
  if (!isMember) return null;
  return (
    <Suspense fallback={<span className="size-10" />}>
      <Bell className={className} />
    </Suspense>
  );
}

/** The account menu or the login link. Before hydration, styles show the placeholder of the right one. */
function AccountMenu({ className }: { className: string }) {
  const user = useUser();
  const loginHref = useLoginHref();
  if (user) return <UserMenu user={user} className={className} />;
  return (
    <>
      <Link
        to={loginHref}
        className={`guest-only ml-1 flex h-9 items-center rounded-md border border-current/25 px-4 text-14 transition-colors ${className}`}
      >
        登录
      </Link>
      <span aria-hidden="true" className="member-only mx-2 size-8 rounded-full bg-sunken" />
    </>
  );
}

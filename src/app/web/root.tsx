import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteLoaderData } from 'react-router';
// Imported by its full path to be sorted first: this order of modules in the chunks compresses better.
import { Providers } from '#app/web/providers.tsx';
import { categoryApi } from '#modules/category/category.contract.ts';
import { CATEGORY_INPUT } from '#modules/category/web/use-categories.ts';
import { isSiteClosedError } from '#modules/role/web/site-access.ts';
import { settingsApi } from '#modules/settings/settings.contract.ts';
import { browserLoader, type PageLoad, serverLoader } from '#platform/web/page-loader.ts';
import { ThemeAndLoginScript } from '#platform/web/theme-and-login-script.tsx';
import { ErrorScreen } from './public/error-screen.tsx';
import type { SiteData } from './settings-and-categories-provider.tsx';
import './app.css';

const loadSiteData: PageLoad<SiteData> = async (api) => {
  const [settings, categories] = await Promise.all([
    api(settingsApi.settings, {}),
    // The login page of a restricted site is rendered without categories.
    api(categoryApi.list, CATEGORY_INPUT).catch((error: unknown) => {
      if (isSiteClosedError(error)) return null;
      throw error;
    }),
  ]);
  return { settings, category: categories?.category ?? null };
};
export const loader = serverLoader(loadSiteData);
export const clientLoader = browserLoader(loadSiteData);
/** Settings and categories are refetched every minute, so a navigation does not reload them. */
export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<typeof loader>('root');
  const favicon = site?.settings.system.favicon;
  return (
    // The boot script sets attributes of this element before hydration.
    <html lang="zh-CN" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#141613" media="(prefers-color-scheme: dark)" />
        <ThemeAndLoginScript />
        <link rel="icon" href={favicon || '/favicon.svg'} />
        <Meta />
        {/* No nonce: style sheets are files of the site, and browsers hide the attribute, which breaks hydration. */}
        <Links nonce="" />
      </head>
      <body>
        <Providers initial={site}>{children}</Providers>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Shown without the shell if the settings cannot be loaded or the shell fails. */
export function ErrorBoundary() {
  return <ErrorScreen />;
}

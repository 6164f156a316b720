import type { ReactNode } from 'react';
import { Links, Outlet, Scripts, ScrollRestoration } from 'react-router';
import { settingsApi } from '#modules/settings/settings.contract.ts';
import { browserLoader, type Load, serverLoader } from '#platform/web/loader.ts';
import './app.css';

const load = (async (api) => ({
  settings: await api(settingsApi.settings, {}),
})) satisfies Load<unknown>;
export const loader = serverLoader(load);
export const clientLoader = browserLoader(load);

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="zh-CN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

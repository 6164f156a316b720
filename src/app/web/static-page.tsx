import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { NonceContext } from '#platform/web/nonce.ts';
import { ThemeAndLoginScript } from '#platform/web/theme-and-login-script.tsx';
import { buttonClass } from '#platform/web/ui/button.tsx';
import { ErrorPageLayout } from './public/error-page-layout.tsx';
import { SiteClosed } from './public/site-closed.tsx';

type Site = { sitename: string; favicon: string; stylesheets: string[]; nonce: string };

/** Renders a page without the router: only the name of the site, and no script except for the theme. */
function renderStaticPage({ sitename, favicon, stylesheets, nonce }: Site, title: string, body: ReactNode) {
  const page = renderToStaticMarkup(
    <NonceContext value={nonce}>
      <html lang="zh-CN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`${title} - ${sitename}`}</title>
          <ThemeAndLoginScript />
          <link rel="icon" href={favicon || '/favicon.svg'} />
          {stylesheets.map((href) => (
            <link key={href} rel="stylesheet" href={href} />
          ))}
        </head>
        <body>{body}</body>
      </html>
    </NonceContext>,
  );
  return `<!doctype html>${page}`;
}

type ClosedSite = Site & {
  statement: string;
  logo: string;
  /** After a login the browser returns to this path. */
  path: string;
};

export function renderSiteClosedPage({ statement, logo, path, ...site }: ClosedSite) {
  const loginHref = path === '/' ? '/login' : `/login?redirect=${encodeURIComponent(path)}`;
  return renderStaticPage(site, '站点暂时关闭', <SiteClosed statement={statement} logo={logo} loginHref={loginHref} />);
}

/** The error page for errors outside of the router, for example a malformed URL. */
export function renderErrorPage({ status, message, ...site }: Site & { status: number; message: string }) {
  return renderStaticPage(
    site,
    message,
    <ErrorPageLayout status={status} message={message}>
      <a href="/" className={`mt-8 ${buttonClass({})}`}>
        返回首页
      </a>
    </ErrorPageLayout>,
  );
}

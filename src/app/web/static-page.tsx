import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { BootScript } from '#platform/web/boot-script.tsx';
import { NonceContext } from '#platform/web/nonce.ts';
import { buttonClass } from '#platform/web/ui/button.tsx';
import { ErrorText } from './public/error-text.tsx';
import { SiteClosed } from './public/site-closed.tsx';

type Site = { sitename: string; favicon: string; stylesheets: string[]; nonce: string };

/** A whole page without the router: nothing of the site but its name, and no script but the theme. */
function drawPage({ sitename, favicon, stylesheets, nonce }: Site, title: string, body: ReactNode) {
  const page = renderToStaticMarkup(
    <NonceContext value={nonce}>
      <html lang="zh-CN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`${title} - ${sitename}`}</title>
          <BootScript />
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

type Closed = Site & {
  statement: string;
  logo: string;
  /** Where the login leads back to. */
  path: string;
};

/** The page of a closed site. */
export function renderSiteClosedPage({ statement, logo, path, ...site }: Closed) {
  const loginHref = path === '/' ? '/login' : `/login?redirect=${encodeURIComponent(path)}`;
  return drawPage(site, '站点暂时关闭', <SiteClosed statement={statement} logo={logo} loginHref={loginHref} />);
}

/** The error page where the address itself cannot be read. */
export function renderErrorPage({ status, message, ...site }: Site & { status: number; message: string }) {
  return drawPage(
    site,
    message,
    <ErrorText status={status} message={message}>
      <a href="/" className={`mt-8 ${buttonClass({})}`}>
        返回首页
      </a>
    </ErrorText>,
  );
}

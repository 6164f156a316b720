import { renderToStaticMarkup } from 'react-dom/server';
import { BootScript } from '#platform/web/boot-script.tsx';
import { NonceContext } from '#platform/web/nonce.ts';
import { SiteClosed } from './public/site-closed.tsx';

type Props = {
  sitename: string;
  favicon: string;
  statement: string;
  /** Where the login leads back to. */
  path: string;
  stylesheets: string[];
  nonce: string;
};

/** The whole page of a closed site: nothing of the site but its name, and no script but the theme. */
export function renderClosed({ sitename, favicon, statement, path, stylesheets, nonce }: Props) {
  const loginHref = path === '/' ? '/login' : `/login?redirect=${encodeURIComponent(path)}`;
  const page = renderToStaticMarkup(
    <NonceContext value={nonce}>
      <html lang="zh-CN">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>{`站点暂时关闭 - ${sitename}`}</title>
          <BootScript />
          <link rel="icon" href={favicon || '/favicon.svg'} />
          {stylesheets.map((href) => (
            <link key={href} rel="stylesheet" href={href} />
          ))}
        </head>
        <body>
          <SiteClosed statement={statement} loginHref={loginHref} />
        </body>
      </html>
    </NonceContext>,
  );
  return `<!doctype html>${page}`;
}

import { renderToReadableStream } from 'react-dom/server';
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router';
import { FALLBACK_MESSAGE } from '#platform/web/fallback-boundary.tsx';
import { NonceContext } from '#platform/web/nonce.ts';
import { errorReporterOf, nonceOf } from '#platform/web/page-loader.ts';
import { deferScripts } from './deferred-scripts.ts';

// The server must use the same copy of the router as the pages, because it compares contexts by identity.
export { createRequestHandler } from 'react-router';
export { createLoaderContext as provideContext } from '#platform/web/page-loader.ts';
export { renderErrorPage, renderSiteClosedPage } from './static-page.tsx';

const RENDER_TIMEOUT_MS = 10_000;
const FALLBACK_PAGE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>页面出错了</title><p>${FALLBACK_MESSAGE}</p><p><a href="/">返回首页</a></p></html>`;

/**
 * Renders the whole page before sending the first byte: all data is already loaded, the status is final, and a page that
 * fails becomes the error page instead of an incomplete page.
 */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  const nonce = nonceOf(context);
  headers.set('content-type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  return renderWholePage(request, status, headers, routerContext, nonce).catch((error: unknown) => {
    // React Router renders the error page next. Only if the error page itself failed, the fallback page is sent.
    if (!routerContext.staticHandlerContext.errors) throw error;
    errorReporterOf(context)(error);
    return new Response(FALLBACK_PAGE, { status, headers });
  });
}

async function renderWholePage(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  nonce: string,
) {
  const failures: unknown[] = [];
  const page = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </NonceContext>,
    {
      nonce,
      signal: AbortSignal.timeout(RENDER_TIMEOUT_MS),
      onError: (error) => void failures.push(error),
    },
  );
  await page.allReady;
  if (failures.length > 0) throw failures[0];
  return new Response(deferScripts(await new Response(page).text(), nonce), { status, headers });
}

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // A thrown response with a status is intended and not logged.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  errorReporterOf(context)(error);
};

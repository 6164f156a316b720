import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertSiteOpen } from '#modules/role/site-access.ts';
import { searchApi } from '#modules/search/search.contract.ts';
import type { CachedEntry } from '#platform/server/cache/subject-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import { createHashedPage, gzipPage, type HashedPage, MARKER_NONCE } from '#platform/server/http/hashed-page.ts';
import { recordRequest, visitorContext } from '#platform/server/http/route.ts';
import type { Renderer } from './render-page.ts';
import { pageSecurityPolicy } from './security-headers.ts';
import { acceptsGzip, mayUseVisitorCache, openVisitorCache, subjectsOf } from './visitor-cache.ts';

/** For all processes of a node together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A page takes about this much more memory when its gzip version is added. */
const GZIP_SIZE_FACTOR = 1.3;

const LIST_PARAMETERS = ['sort', 'ext', 'fee_type', 'duration', 'view', 'page'];
const SEARCH_PARAMETERS = [...LIST_PARAMETERS, 'wd', 'category_id', 'pages', 'language'];
/** Pages that are cached, with the query parameters that change their content. */
const CACHEABLE_PAGES: { path: RegExp; query: readonly string[] }[] = [
  { path: /^\/$/, query: [] },
  { path: /^\/document\/[0-9a-f]{1,16}$/, query: ['page', 'embed', 'wd'] },
  { path: /^\/document\/[0-9a-f]{1,16}\/text$/, query: ['page'] },
  { path: /^\/category(\/\d{1,15})?$/, query: LIST_PARAMETERS },
  // Only the list: rendering a single article counts a view.
  { path: /^\/article$/, query: ['page'] },
  { path: /^\/search$/, query: SEARCH_PARAMETERS },
  { path: /^\/user\/\d{1,15}(\/[a-z]+)?$/, query: ['page'] },
];
/** Parameters that apps and campaigns add to shared links; pages ignore them. */
const isTrackingParameter = (name: string) =>
  /^(utm_\w+|from|isappinstalled|spm|share\w*|nsukey|scene|clicktime|fbclid|gclid|bd_vid)$/.test(name);
const MAX_QUERY_LENGTH = 200;

/** The cache key of a URL; null if its page is not cached. */
export function htmlCacheKey(url: string): string | null {
  const [path = '', query = ''] = url.split('?', 2);
  const page = CACHEABLE_PAGES.find((each) => each.path.test(path));
  if (!page || query.length > MAX_QUERY_LENGTH) return null;
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !isTrackingParameter(name));
  if (parameters.some(([name]) => !page.query.includes(name))) return null;
  return parameters.length > 0 ? `${path}?${new URLSearchParams(parameters)}` : path;
}

/** `records` log the search of each visitor who gets the page. */
type RenderedPage = {
  status: number;
  headers: [string, string][];
  page: HashedPage;
  records: ((visitor: Context) => Promise<void>)[];
};

export function openHtmlCache(ctx: Context, renderer: Renderer) {
  const cache = openVisitorCache<RenderedPage>(ctx, { maxBytes: MAX_BYTES / ctx.config.webProcesses });

  async function renderForCache(url: string): Promise<CachedEntry<RenderedPage>> {
    const subjects = new Set<string>();
    const records: RenderedPage['records'] = [];
    const response = await renderer.render({
      url,
      method: 'GET',
      nonce: MARKER_NONCE,
      ctx,
      // Checked again, because the site may have been closed since the check of the request.
      checkSiteAccess: (visitor) => assertSiteOpen(visitor),
      onApiResult: (route, result) => {
        for (const subject of subjectsOf(route.endpoint, result.output)) subjects.add(subject);
        // Views of documents are counted by the browser.
        if (route.endpoint === searchApi.search) records.push((visitor) => recordRequest(route, visitor, result));
      },
    });
    const page = createHashedPage(await response.text());
    const { status } = response;
    const headers: [string, string][] = [
      ...response.headers,
      ['content-security-policy', pageSecurityPolicy(url, page.scriptSources)],
    ];
    const value = { status, headers, page, records };
    return { value, subjects, bytes: page.htmlBytes.length * GZIP_SIZE_FACTOR, isCacheable: status === 200 };
  }

  return {
    stop: cache.stop,
    cacheKeyOf: (request: FastifyRequest) => (mayUseVisitorCache(request) ? htmlCacheKey(request.url) : null),
    async send(key: string, request: FastifyRequest, reply: FastifyReply) {
      const { status, headers, page, records } = await cache.get(key, () => renderForCache(key));
      const visitor = visitorContext(ctx, request);
      await Promise.all(records.map((record) => record(visitor)));
      for (const [name, value] of headers) reply.header(name, value);
      reply.status(status).header('vary', 'accept-encoding');
      if (status === 503) reply.header('retry-after', RETRY_SECONDS);
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
      if (status === 200) {
        reply.header('etag', page.etag);
        const requestEtags = request.headers['if-none-match'] ?? '';
        if (requestEtags.split(',').some((tag) => tag.trim() === page.etag)) return reply.status(304).send();
      }
      const isGzipped = acceptsGzip(request.headers['accept-encoding']);
      if (isGzipped) reply.header('content-encoding', 'gzip');
      const bytes = isGzipped ? gzipPage(page) : page.htmlBytes;
      if (request.method !== 'HEAD') return reply.send(bytes);
      return reply.header('content-length', bytes.length).send('');
    },
  };
}

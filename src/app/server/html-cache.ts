import type { FastifyReply, FastifyRequest } from 'fastify';
import { userApi } from '#modules/account/account.contract.ts';
import { USERS_CACHE_KEY } from '#modules/account/announce-user-change.ts';
import { ARTICLES_CACHE_KEY } from '#modules/article/article.ts';
import { BANNERS_CACHE_KEY } from '#modules/banner/banner.ts';
import { CATEGORIES_CACHE_KEY } from '#modules/category/category.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { FRIEND_LINKS_CACHE_KEY } from '#modules/friend-link/friend-link.ts';
import { positionApi } from '#modules/reading/position.contract.ts';
import { assertSiteOpen } from '#modules/role/site-access.ts';
import { SETTINGS_CACHE_NAME } from '#modules/settings/load-settings.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { type CachedPage, createPageCache } from '#platform/server/cache/page-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { SITE_COOKIE_OPTIONS } from '#platform/server/http/cookie-options.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import { createHashedPage, gzipPage, type HashedPage, MARKER_NONCE } from '#platform/server/http/hashed-page.ts';
import type { Renderer } from './render-page.ts';
import { pageSecurityPolicy } from './security-headers.ts';
import { ACCESS_COOKIE } from './site-access-guard.ts';

/** Half of the specified maximum age, because the data in a page may already be as old. */
export const HTML_CACHE_MAX_AGE_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** A page takes about this much more memory when its gzip version is added. */
const GZIP_SIZE_FACTOR = 1.3;

const LIST_PARAMETERS = ['sort', 'ext', 'fee_type', 'duration', 'view', 'page'];
/** Pages that are cached, with the query parameters that change their content. */
const CACHEABLE_PAGES: { path: RegExp; query: readonly string[] }[] = [
  { path: /^\/$/, query: [] },
  { path: /^\/document\/[0-9a-f]{1,16}$/, query: ['page', 'embed', 'wd'] },
  { path: /^\/document\/[0-9a-f]{1,16}\/text$/, query: ['page'] },
  { path: /^\/category(\/\d{1,15})?$/, query: LIST_PARAMETERS },
  // Only the list: rendering a single article counts a view.
  { path: /^\/article$/, query: ['page'] },
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

const WRITER_COOKIE = 'douku_writer';
const WRITER_COOKIE_SECONDS = HTML_CACHE_MAX_AGE_MS / 1000;
/** Changes that no cached page shows. */
const INVISIBLE_CHANGES = new Set([positionApi.put, documentApi.view].map(({ path }) => `/api/v1${path}`));

/** Lets a user who just changed something bypass the HTML cache on all nodes. The cookie identifies no user. */
export function setRecentWriterCookie(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions } = request;
  if (!ctx.user || method === 'GET' || INVISIBLE_CHANGES.has(routeOptions.url ?? '')) return;
  reply.setCookie(WRITER_COOKIE, '1', { ...SITE_COOKIE_OPTIONS, maxAge: WRITER_COOKIE_SECONDS });
}

/** Cached pages are only for visitors who have no session and changed nothing recently. */
const mayGetCachedPage = ({ headers, cookies }: FastifyRequest) =>
  !headers.authorization && !(ACCESS_COOKIE in cookies) && !(WRITER_COOKIE in cookies);

/** Data that every page shows or may show. */
const SUBJECTS_OF_ALL_PAGES = new Set([
  SETTINGS_CACHE_NAME,
  CATEGORIES_CACHE_KEY,
  BANNERS_CACHE_KEY,
  FRIEND_LINKS_CACHE_KEY,
  ARTICLES_CACHE_KEY,
  USERS_CACHE_KEY,
]);

const acceptsGzip = (acceptEncoding: string | string[] = '') =>
  /\bgzip\b(?!\s*;\s*q=0(?![.\d]*[1-9]))/.test(String(acceptEncoding));

/** True for pages about a single document. */
const isDocumentPage = (subjects: ReadonlySet<string>) =>
  [...subjects].some((subject) => subject.startsWith('document:'));

/** Tells all nodes to render the pages of the documents, and the pages that list documents, again. */
export async function invalidateDocumentPages(ctx: Context, documentIds: readonly number[]): Promise<void> {
  for (const id of documentIds) await notifyInvalidation(ctx.db, `document:${id}`);
}

type RenderedPage = { status: number; headers: [string, string][]; page: HashedPage };

/** Caches the pages that visitors see. */
export function openHtmlCache(ctx: Context, renderer: Renderer) {
  const cache = createPageCache<RenderedPage>({ maxAgeMs: HTML_CACHE_MAX_AGE_MS, maxBytes: MAX_BYTES });
  const stop = ctx.liveCache.onAnyInvalidation((name) => {
    if (name === null || SUBJECTS_OF_ALL_PAGES.has(name)) return cache.invalidate();
    const [kind, id] = name.split(':');
    if (kind === 'document')
      // The page of the document, and every page that may list it.
      cache.invalidate((subjects) => subjects.has(name) || !isDocumentPage(subjects));
    else if (kind === 'document-counts') cache.invalidate((subjects) => subjects.has(`document:${id}`));
    else if (kind === 'user') cache.invalidate((subjects) => subjects.has(name));
  });

  async function renderForCache(url: string): Promise<CachedPage<RenderedPage>> {
    const subjects = new Set<string>();
    const response = await renderer.render({
      url,
      method: 'GET',
      nonce: MARKER_NONCE,
      ctx,
      // Checked again, because the site may have been closed since the check of the request.
      checkSiteAccess: (visitor) => assertSiteOpen(visitor),
      onApiResult: (endpoint, result) => {
        if (endpoint === documentApi.get) subjects.add(`document:${(result as OutputOf<typeof documentApi.get>).id}`);
        if (endpoint === userApi.get) subjects.add(`user:${(result as OutputOf<typeof userApi.get>).id}`);
      },
    });
    const page = createHashedPage(await response.text());
    const { status } = response;
    const headers: [string, string][] = [
      ...response.headers,
      ['content-security-policy', pageSecurityPolicy(url, page.scriptSources)],
    ];
    const value = { status, headers, page };
    return { value, subjects, bytes: page.htmlBytes.length * GZIP_SIZE_FACTOR, isCacheable: status === 200 };
  }

  return {
    stop,
    /** The key of a request that may be answered from the cache, or null. */
    cacheKeyOf: (request: FastifyRequest) => (mayGetCachedPage(request) ? htmlCacheKey(request.url) : null),
    async send(key: string, request: FastifyRequest, reply: FastifyReply) {
      const { status, headers, page } = await cache.get(key, () => renderForCache(key));
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

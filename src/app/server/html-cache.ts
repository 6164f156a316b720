import type { FastifyReply, FastifyRequest } from 'fastify';
import { userApi } from '#modules/account/account.contract.ts';
import { BANNERS } from '#modules/banner/banner.ts';
import { CATEGORIES } from '#modules/category/category.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { FRIEND_LINKS } from '#modules/friend-link/friend-link.ts';
import { positionApi } from '#modules/reading/position.contract.ts';
import { assertSiteOpen } from '#modules/role/site-access.ts';
import { SETTINGS_CACHE_NAME } from '#modules/settings/load-settings.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { type CachedPage, createPageCache } from '#platform/server/cache/page-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { RETRY_SECONDS } from '#platform/server/http/error-response.ts';
import {
  gzipBytes,
  type NoncePage,
  noncePage,
  PLACEHOLDER,
  plainBytes,
  sizeOf,
} from '#platform/server/http/nonce-page.ts';
import type { Renderer } from './render-page.ts';

/** Half of what is promised: the figures within a page may be as old as the page itself. */
export const MAX_AGE_MS = 30_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Packed later, a page grows by about so much. */
const PACKED_SHARE = 1.3;

const OF_LISTS = ['sort', 'ext', 'fee_type', 'duration', 'view', 'page'];
/** Pages that many look at, and what else of their address makes another page. */
const kinds: { path: RegExp; query: readonly string[] }[] = [
  { path: /^\/$/, query: [] },
  { path: /^\/document\/[0-9a-f]{1,16}$/, query: ['page', 'embed', 'wd'] },
  { path: /^\/document\/[0-9a-f]{1,16}\/text$/, query: ['page'] },
  { path: /^\/category(\/\d{1,15})?$/, query: OF_LISTS },
  // Not each of them: a single page counts its visits as it is drawn.
  { path: /^\/article$/, query: ['page'] },
  { path: /^\/user\/\d{1,15}(\/[a-z]+)?$/, query: ['page'] },
];
/** What those who share a link hang on it; no page reads it. */
const isTrail = (name: string) =>
  /^(utm_\w+|from|isappinstalled|spm|share\w*|nsukey|scene|clicktime|fbclid|gclid|bd_vid)$/.test(name);
const MAX_QUERY = 200;

/** The address a page is drawn and kept under; null when it is drawn for each who asks. */
export function keyOf(url: string): string | null {
  const [path = '', query = ''] = url.split('?', 2);
  const kind = kinds.find((each) => each.path.test(path));
  if (!kind || query.length > MAX_QUERY) return null;
  const asked = [...new URLSearchParams(query)].filter(([name]) => !isTrail(name));
  if (asked.some(([name]) => !kind.query.includes(name))) return null;
  return asked.length > 0 ? `${path}?${new URLSearchParams(asked)}` : path;
}

const WRITER = 'douku_writer';
const WRITER_SECONDS = MAX_AGE_MS / 1000;
const unseen = new Set([positionApi.put, documentApi.view].map(({ path }) => `/api/v1${path}`));

/** Who has just changed something sees pages drawn anew, on whatever node. Says nothing about them. */
export function markWriter(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions } = request;
  if (!ctx.user || method === 'GET' || unseen.has(routeOptions.url ?? '')) return;
  const rules = `Path=/; HttpOnly; SameSite=Lax${request.protocol === 'https' ? '; Secure' : ''}`;
  reply.header('set-cookie', `${WRITER}=1; Max-Age=${WRITER_SECONDS}; ${rules}`);
}

/** Not for those who are known to be somebody, though every page is drawn for nobody in particular. */
const isAnonymous = ({ headers }: FastifyRequest) =>
  !headers.authorization && !/(?:^|;\s*)douku_(?:pass|writer)=/.test(headers.cookie ?? '');

/** Of what all pages show, or may show. */
const shownEverywhere = new Set([SETTINGS_CACHE_NAME, CATEGORIES, BANNERS, FRIEND_LINKS, 'articles', 'users']);

const takesGzip = (accepted: string | string[] = '') => /\bgzip\b(?!\s*;\s*q=0(?![.\d]*[1-9]))/.test(String(accepted));

const isOfDocument = (subjects: ReadonlySet<string>) =>
  [...subjects].some((subject) => subject.startsWith('document:'));

type Drawn = { status: number; headers: [string, string][]; page: NoncePage };

/** Pages for visitors, drawn once and sent to many. */
export function openHtmlCache(ctx: Context, renderer: Renderer) {
  const cache = createPageCache<Drawn>({ maxAgeMs: MAX_AGE_MS, maxBytes: MAX_BYTES });
  const stop = ctx.live.onAnyChange((name) => {
    if (name === null || shownEverywhere.has(name)) return cache.drop();
    const [kind, id] = name.split(':');
    if (kind === 'document')
      // The document itself, and every page that is not about a single one: it may list it.
      cache.drop((subjects) => subjects.has(name) || !isOfDocument(subjects));
    else if (kind === 'document-counts') cache.drop((subjects) => subjects.has(`document:${id}`));
    else if (kind === 'user') cache.drop((subjects) => subjects.has(name));
  });

  async function draw(url: string): Promise<CachedPage<Drawn>> {
    const subjects = new Set<string>();
    const answer = await renderer.render({
      url,
      method: 'GET',
      nonce: PLACEHOLDER,
      ctx,
      // Asked again: the site may have been closed since.
      admit: (visitor) => assertSiteOpen(visitor),
      onAnswer: (endpoint, result) => {
        if (endpoint === documentApi.get) subjects.add(`document:${(result as OutputOf<typeof documentApi.get>).id}`);
        if (endpoint === userApi.get) subjects.add(`user:${(result as OutputOf<typeof userApi.get>).id}`);
      },
    });
    const page = noncePage(await answer.text());
    const { status, headers } = answer;
    const value = { status, headers: [...headers], page };
    return { value, subjects, bytes: sizeOf(page) * PACKED_SHARE, isKept: status === 200 };
  }

  return {
    stop,
    /** The key of a request that may be answered with a kept page. */
    keyFor: (request: FastifyRequest) => (isAnonymous(request) ? keyOf(request.url) : null),
    async send(key: string, request: FastifyRequest, reply: FastifyReply) {
      const { status, headers, page } = await cache.get(key, () => draw(key));
      for (const [name, value] of headers) reply.header(name, value);
      reply.status(status).header('vary', 'accept-encoding');
      if (status === 503) reply.header('retry-after', RETRY_SECONDS);
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-cache');
      if (status === 200) {
        reply.header('etag', page.tag);
        const held = request.headers['if-none-match'] ?? '';
        if (held.split(',').some((tag) => tag.trim() === page.tag)) {
          // The page that is held goes with the policy it came with, not with a newer nonce.
          reply.removeHeader('content-security-policy');
          return reply.status(304).send();
        }
      }
      const isPacked = takesGzip(request.headers['accept-encoding']);
      if (isPacked) reply.header('content-encoding', 'gzip');
      const bytes = (isPacked ? gzipBytes : plainBytes)(page, request.nonce);
      if (request.method !== 'HEAD') return reply.send(bytes);
      return reply.header('content-length', bytes.length).send('');
    },
  };
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { userApi } from '#modules/account/account.contract.ts';
import { USERS_CACHE_KEY } from '#modules/account/announce-user-change.ts';
import { ARTICLES_CACHE_KEY } from '#modules/article/article.ts';
import { BANNERS_CACHE_KEY } from '#modules/banner/banner.ts';
import { CATEGORIES_CACHE_KEY } from '#modules/category/category.ts';
import { documentApi } from '#modules/document/document.contract.ts';
import { FRIEND_LINKS_CACHE_KEY } from '#modules/friend-link/friend-link.ts';
import { positionApi } from '#modules/reading/position.contract.ts';
import { ROLES_CACHE_KEY } from '#modules/role/role.ts';
import { SEARCH_INDEX_KEY } from '#modules/search/index/index-documents.ts';
import { SYNONYMS_KEY } from '#modules/search/query/synonyms.ts';
import { searchApi } from '#modules/search/search.contract.ts';
import { SETTINGS_CACHE_NAME } from '#modules/settings/load-settings.ts';
import type { Endpoint, OutputOf } from '#platform/contract/endpoint.ts';
import { notifyInvalidation } from '#platform/server/cache/live-cache.ts';
import { type CacheLimits, createSubjectCache, type SubjectCache } from '#platform/server/cache/subject-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { SITE_COOKIE_OPTIONS } from '#platform/server/http/cookie-options.ts';
import { ACCESS_COOKIE } from './site-access-guard.ts';

/** Half of the specified maximum age, because the data may already be as old. */
export const VISITOR_CACHE_MAX_AGE_MS = 30_000;

const WRITER_COOKIE = 'douku_writer';
const WRITER_COOKIE_SECONDS = VISITOR_CACHE_MAX_AGE_MS / 1000;
/** Changes that visitors do not see. */
const INVISIBLE_CHANGES = new Set([positionApi.put, documentApi.view].map(({ path }) => `/api/v1${path}`));

export const isVisibleChange = ({ method, routeOptions }: FastifyRequest) =>
  method !== 'GET' && method !== 'HEAD' && !INVISIBLE_CHANGES.has(routeOptions.url ?? '');

/** Lets a user who just changed something bypass the caches of all nodes. The cookie identifies no user. */
export function setRecentWriterCookie(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  if (!ctx.user || !isVisibleChange(request)) return;
  reply.setCookie(WRITER_COOKIE, '1', { ...SITE_COOKIE_OPTIONS, maxAge: WRITER_COOKIE_SECONDS });
}

/** Cached responses are only for visitors who have no session and changed nothing recently. */
export const mayUseVisitorCache = ({ headers, cookies }: FastifyRequest) =>
  !headers.authorization && !(ACCESS_COOKIE in cookies) && !(WRITER_COOKIE in cookies);

export const acceptsGzip = (acceptEncoding: string | string[] = '') =>
  /\bgzip\b(?!\s*;\s*q=0(?![.\d]*[1-9]))/.test(String(acceptEncoding));

/** Data that every page or response shows or may show. */
const SUBJECTS_OF_ALL_ENTRIES = new Set([
  SETTINGS_CACHE_NAME,
  CATEGORIES_CACHE_KEY,
  BANNERS_CACHE_KEY,
  FRIEND_LINKS_CACHE_KEY,
  ARTICLES_CACHE_KEY,
  USERS_CACHE_KEY,
  // The default role limits the pages that visitors may read.
  ROLES_CACHE_KEY,
]);

/** Subject of results of a search. */
const SEARCH_SUBJECT = 'search';
const SEARCH_KEYS = new Set([SEARCH_INDEX_KEY, SYNONYMS_KEY]);

/** True for pages and responses about a single document. */
const isAboutOneDocument = (subjects: ReadonlySet<string>) =>
  [...subjects].some((subject) => subject.startsWith('document:'));

/** Notifies all nodes to render the pages of the documents, and the pages that list documents, again. */
export async function invalidateDocumentPages(ctx: Context, documentIds: readonly number[]): Promise<void> {
  for (const id of documentIds) await notifyInvalidation(ctx.db, `document:${id}`);
}

/** A cache of pages or responses that all visitors share, until any node changes the data that they show. */
export function openVisitorCache<T>(
  ctx: Context,
  limits: Pick<CacheLimits, 'maxBytes'>,
): SubjectCache<T> & { stop: () => void } {
  const cache = createSubjectCache<T>({ maxAgeMs: VISITOR_CACHE_MAX_AGE_MS, ...limits });
  const stop = ctx.liveCache.onAnyInvalidation((name) => {
    if (name === null || SUBJECTS_OF_ALL_ENTRIES.has(name)) return cache.invalidate();
    if (SEARCH_KEYS.has(name)) return cache.invalidate((subjects) => subjects.has(SEARCH_SUBJECT));
    const [kind, id] = name.split(':');
    // The page of the document, and every page that may list it.
    if (kind === 'document') cache.invalidate((subjects) => subjects.has(name) || !isAboutOneDocument(subjects));
    else if (kind === 'document-counts') cache.invalidate((subjects) => subjects.has(`document:${id}`));
    else if (kind === 'user') cache.invalidate((subjects) => subjects.has(name));
  });
  return { ...cache, stop };
}

export function subjectsOf(endpoint: Endpoint, output: unknown): string[] {
  if (endpoint === documentApi.get) return [`document:${(output as OutputOf<typeof documentApi.get>).id}`];
  if (endpoint === userApi.get) return [`user:${(output as OutputOf<typeof userApi.get>).id}`];
  return endpoint === searchApi.search ? [SEARCH_SUBJECT] : [];
}

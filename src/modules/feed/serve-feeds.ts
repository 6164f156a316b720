import { and, desc, eq, exists, inArray, isNotNull, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { findUser } from '#modules/account/account.ts';
import { getVisibleCategories } from '#modules/category/category.ts';
import { pathToRoot } from '#modules/category/category-tree.ts';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import { addCategoriesAndUrls, selectDocuments } from '#modules/document/select-documents.ts';
import { isVisibleToCaller } from '#modules/document/visibility.ts';
import { getSettings } from '#modules/settings/settings.ts';
import { siteAddress } from '#modules/settings/site-address.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { createSubjectCache } from '#platform/server/cache/subject-cache.ts';
import type { Context } from '#platform/server/context.ts';
import { type Feed, type FeedEntry, toAtom, toRss } from './feed-xml.ts';

const MAX_ENTRIES = 20;
/** Limits the age of a feed if the notification of a change was lost. */
const MAX_AGE_SECONDS = 30;
const MAX_CACHE_BYTES = 4 * 1024 * 1024;

const formats = {
  atom: { type: 'application/atom+xml; charset=utf-8', write: toAtom },
  rss: { type: 'application/rss+xml; charset=utf-8', write: toRss },
};
type Format = keyof typeof formats;
type DocumentFilter = { category_id?: number[]; user_id?: number[] };

/** Newest documents that a visitor can read, sorted by publication, so that late approvals are not missed. */
async function newestEntries(ctx: Context, { category_id, user_id }: DocumentFilter): Promise<FeedEntry[]> {
  const matchingCategories = ctx.db
    .select({ one: sql`1` })
    .from(documentCategories)
    .where(
      and(eq(documentCategories.document_id, documents.id), inArray(documentCategories.category_id, category_id ?? [])),
    );
  const publishedDocuments = await ctx.db
    .select({ id: documents.id, published_at: documents.published_at })
    .from(documents)
    .where(
      and(
        isVisibleToCaller(ctx),
        eq(documents.status, documentStatus.converted),
        isNotNull(documents.published_at),
        user_id && inArray(documents.user_id, user_id),
        category_id && exists(matchingCategories),
      ),
    )
    .orderBy(desc(documents.published_at), desc(documents.id))
    .limit(MAX_ENTRIES);
  if (publishedDocuments.length === 0) return [];
  const ids = publishedDocuments.map(({ id }) => id);
  const rows = await addCategoriesAndUrls(ctx, await selectDocuments(ctx).where(inArray(documents.id, ids)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return publishedDocuments.flatMap(({ id, published_at }) => {
    const row = byId.get(id);
    if (!row) return [];
    return {
      id,
      title: row.title,
      summary: row.description,
      author: row.username,
      categories: row.category.map(({ title }) => title),
      published_at: published_at ?? row.created_at,
      updated_at: row.updated_at,
    };
  });
}

type FeedDescription = Omit<Feed, 'self' | 'entries'> & { filter: DocumentFilter };

async function describeSiteFeed(ctx: Context): Promise<FeedDescription> {
  const { system } = await getSettings(ctx);
  return { title: system.sitename, description: system.description, page: '/', filter: {} };
}

async function describeCategoryFeed(ctx: Context, id: number): Promise<FeedDescription> {
  const { system } = await getSettings(ctx);
  const categoryPath = pathToRoot(await getVisibleCategories(ctx), id);
  const [category] = categoryPath;
  if (!category) throw httpErrors.notFound();
  const title = categoryPath
    .toReversed()
    .map(({ title }) => title)
    .join(' · ');
  return {
    title: `${title} - ${system.sitename}`,
    description: category.description || `${title}的最新文档`,
    page: `/category/${id}`,
    filter: { category_id: [id] },
  };
}

async function describeUserFeed(ctx: Context, id: number): Promise<FeedDescription> {
  const { system } = await getSettings(ctx);
  const user = await findUser(ctx, id);
  return {
    title: `${user.username}分享的文档 - ${system.sitename}`,
    description: user.signature || `${user.username}分享的文档`,
    page: `/user/${id}`,
    filter: { user_id: [id] },
  };
}

/** Feeds of the site, of a category and of a user, each as Atom and as RSS. */
export async function serveFeeds(app: FastifyInstance, { ctx }: { ctx: Context }): Promise<void> {
  const cache = createSubjectCache<string>({
    maxAgeMs: MAX_AGE_SECONDS * 1000,
    maxBytes: MAX_CACHE_BYTES,
  });
  // A feed names documents, users, categories and settings, so that almost any change may concern it.
  const stop = ctx.liveCache.onAnyInvalidation(() => cache.invalidate());
  app.addHook('onClose', async () => stop());
  const visitor: Context = { ...ctx, user: null };
  const cachedFeed = (format: Format, self: string, describe: () => Promise<FeedDescription>) =>
    cache.get(self, async () => {
      const { filter, ...description } = await describe();
      const entries = await newestEntries(visitor, filter);
      const value = formats[format].write(
        { ...description, self, entries },
        { address: await siteAddress(ctx), now: ctx.now().toISOString() },
      );
      return { value, subjects: new Set<string>(), bytes: value.length * 2, isCacheable: true };
    });
  for (const format of Object.keys(formats) as Format[]) {
    const mount = (path: string, describe: (id: number) => Promise<FeedDescription>) =>
      app.get<{ Params: { id?: string } }>(path, async ({ params: { id = '0' } }, reply) => {
        if (!/^\d{1,15}$/.test(id)) throw httpErrors.notFound();
        const self = path.replace(':id', String(Number(id)));
        const text = await cachedFeed(format, self, () => describe(Number(id)));
        reply.type(formats[format].type);
        return reply.header('cache-control', 'no-cache').send(text);
      });
    mount(`/feed.${format}`, () => describeSiteFeed(visitor));
    mount(`/category/:id/feed.${format}`, (id) => describeCategoryFeed(visitor, id));
    mount(`/user/:id/feed.${format}`, (id) => describeUserFeed(visitor, id));
  }
}

import { desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { attachmentTypes } from '#modules/attachment/attachment.contract.ts';
import { linkAttachments, releaseAttachments } from '#modules/attachment/link-attachments.ts';
import { auditTarget, recordAudit, recordRemoval } from '#modules/audit/audit.ts';
import { changeAndInvalidate } from '#platform/server/cache/live-cache-access.ts';
import type { Context } from '#platform/server/context.ts';
import { containsWords, countRows, orderByTerms, toLimitAndOffset } from '#platform/server/db/list-query.ts';
import { skipIfOutOfSpace } from '#platform/server/storage/out-of-space.ts';
import { type Article, type ArticleSummary, articleErrors } from './article.contract.ts';
import { articles } from './article.table.ts';
import { pictureUrlsOf, sanitizeArticle } from './sanitize-article.ts';

type ListInput = { page: number; size: number; wd?: string; order?: string; sort?: string };
type Fields = Pick<Article, 'title' | 'author' | 'keywords' | 'description' | 'content'>;

const { content: _, ...summary } = getTableColumns(articles);
const { id, identifier, title, view_count, created_at, updated_at } = articles;
const orderColumns = { id, identifier, title, view_count, created_at, updated_at };

const withAuthorAsUser = <R extends { author: string }>(row: R) => ({
  ...row,
  user: { id: 0, username: row.author, avatar: '' },
});

export async function listArticles(
  ctx: Context,
  input: ListInput,
): Promise<{ total: number; article: ArticleSummary[] }> {
  const order = orderByTerms(input, orderColumns, [desc(id)]);
  const condition = containsWords([title, identifier, articles.keywords, articles.description], input.wd);
  const { limit = input.size, offset } = toLimitAndOffset(input);
  const rows = await ctx.db
    .select(summary)
    .from(articles)
    .where(condition)
    .orderBy(...order)
    .limit(limit)
    .offset(offset);
  return { total: await countRows(ctx.db, articles, condition), article: rows.map(withAuthorAsUser) };
}

const countView = async (ctx: Context, isRequested: SQL) =>
  ctx.db
    .update(articles)
    // A view must not change updated_at, which the column would set by default.
    .set({ view_count: sql`${view_count} + 1`, updated_at: sql`${updated_at}` })
    .where(isRequested)
    .returning();

/** Counts a view when the article is requested by `identifier`, as the public page does, not by `id`. */
export async function getArticle(ctx: Context, input: { id?: number; identifier?: string }): Promise<Article> {
  if (!input.id && !input.identifier) throw articleErrors.noKey();
  const isRequested = input.id
    ? eq(id, input.id)
    : eq(sql`lower(${identifier})`, (input.identifier ?? '').toLowerCase());
  const countedRows = input.id ? null : await skipIfOutOfSpace(countView(ctx, isRequested));
  const [row] = countedRows ?? (await ctx.db.select().from(articles).where(isRequested));
  if (!row) throw articleErrors.notFound();
  return withAuthorAsUser(row);
}

/** Announced when an article changes, because cached pages list articles. */
export const ARTICLES_CACHE_KEY = 'articles';

/** Marks the pictures of the text as used. A missing picture is ignored. */
async function markArticlePicturesUsed(ctx: Context, row: Pick<Article, 'id' | 'content'>): Promise<void> {
  await linkAttachments(ctx, attachmentTypes.article, row.id, pictureUrlsOf(row.content));
}

const auditTargetOf = ({ id, title: name }: Pick<Article, 'id' | 'title'>) => auditTarget('单页', [{ id, name }]);

export const createArticle = (ctx: Context, fields: Fields & { identifier: string }): Promise<Article> =>
  changeAndInvalidate(ctx, ARTICLES_CACHE_KEY, async (ctx) => {
    const [row] = await ctx.db
      .insert(articles)
      .values({ ...fields, content: sanitizeArticle(fields.content) })
      .onConflictDoNothing()
      .returning();
    if (!row) throw articleErrors.exists();
    await markArticlePicturesUsed(ctx, row);
    const after = { ...fields, content: row.content };
    await recordAudit(ctx, { action: '创建单页', target: auditTargetOf(row), after });
    return withAuthorAsUser(row);
  });

export async function updateArticle(
  ctx: Context,
  { id: articleId, content, ...change }: { id: number } & Partial<Fields>,
) {
  await changeAndInvalidate(ctx, ARTICLES_CACHE_KEY, async (ctx) => {
    const before = await getArticle(ctx, { id: articleId });
    const changedFields = {
      ...change,
      ...(content !== undefined && { content: sanitizeArticle(content) }),
    };
    const [row] = await ctx.db
      .update(articles)
      .set({ ...changedFields, updated_at: sql`now()` })
      .where(eq(id, articleId))
      .returning();
    if (!row) throw articleErrors.notFound();
    await markArticlePicturesUsed(ctx, row);
    const target = auditTargetOf(before);
    await recordAudit(ctx, { action: '更新单页', target, before, after: changedFields });
  });
  return {};
}

export async function deleteArticles(ctx: Context, input: { id: number[] }) {
  await changeAndInvalidate(ctx, ARTICLES_CACHE_KEY, async (ctx) => {
    const rows = await ctx.db.delete(articles).where(inArray(id, input.id)).returning();
    await releaseAttachments(ctx, attachmentTypes.article, input.id);
    await recordRemoval(
      ctx,
      { action: '删除单页', kind: '单页', ids: input.id },
      rows.map((row) => ({ id: row.id, name: row.title, values: row })),
    );
  });
  return {};
}

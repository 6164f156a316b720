import { and, asc, eq, gt } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type { ArticleSummary } from '#modules/article/article.contract.ts';
import { listArticles } from '#modules/article/article.ts';
import { listCategories } from '#modules/category/category.ts';
import { siteAddress } from '#modules/settings/site-address.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import { escapeXml } from '#platform/contract/xml.ts';
import type { Context } from '#platform/server/context.ts';
import { type SitemapKind, sitemapFiles } from './sitemap.table.ts';

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const CACHE_CONTROL = 'public, max-age=600';
const ARTICLES_PER_QUERY = 100;
/** Limit of the sitemap protocol for one file. */
const MAX_URLS = 50_000;

const lastmodElement = (at: string | null) => (at ? `<lastmod>${at}</lastmod>` : '');

/** Index of all sitemap files. A job generates the files of documents and users. */
async function sitemapIndex(ctx: Context): Promise<string> {
  const address = escapeXml(await siteAddress(ctx));
  const files = await ctx.db
    .select({
      kind: sitemapFiles.kind,
      part: sitemapFiles.part,
      changed_at: sitemapFiles.changed_at,
    })
    .from(sitemapFiles)
    .where(gt(sitemapFiles.urls, 0))
    .orderBy(asc(sitemapFiles.kind), asc(sitemapFiles.part));
  const entries = [
    { name: 'pages', changed_at: null },
    ...files.map(({ kind, part, changed_at }) => ({ name: `${kind}s-${part}`, changed_at })),
  ].map(
    ({ name, changed_at }) =>
      `<sitemap><loc>${address}/sitemap/${name}.xml</loc>${lastmodElement(changed_at)}</sitemap>\n`,
  );
  return `${XML_DECLARATION}<sitemapindex ${XMLNS}>\n${entries.join('')}</sitemapindex>\n`;
}

async function allArticles(ctx: Context): Promise<ArticleSummary[]> {
  const articles: ArticleSummary[] = [];
  for (let page = 1; articles.length < MAX_URLS; page++) {
    const { article } = await listArticles(ctx, { page, size: ARTICLES_PER_QUERY });
    articles.push(...article);
    if (article.length < ARTICLES_PER_QUERY) break;
  }
  return articles;
}

/** Home page, categories and articles, generated for each request because they are few. */
async function renderPagesSitemap(ctx: Context): Promise<string> {
  const { category } = await listCategories(ctx, {});
  const article = await allArticles(ctx);
  const entries = [
    { path: '/', changed: null },
    { path: '/category', changed: null },
    ...category.map(({ id, updated_at }) => ({ path: `/category/${id}`, changed: updated_at })),
    ...article.map(({ identifier, updated_at }) => ({
      path: `/article/${identifier}`,
      changed: updated_at,
    })),
  ];
  const urls = entries
    .slice(0, MAX_URLS)
    .map(({ path, changed }) => `<url><loc>${escapeXml(path)}</loc>${lastmodElement(changed)}</url>\n`);
  return urls.join('');
}

async function readStoredSitemap({ db }: Context, kind: SitemapKind, part: number): Promise<string> {
  const [file] = await db
    .select({ body: sitemapFiles.body })
    .from(sitemapFiles)
    .where(and(eq(sitemapFiles.kind, kind), eq(sitemapFiles.part, part), gt(sitemapFiles.urls, 0)));
  if (!file) throw httpErrors.notFound();
  return file.body;
}

const FILE_NAME = /^(?:pages|(document|user)s-([1-9]\d{0,5}))\.xml$/;

export async function serveSitemap(app: FastifyInstance, { ctx }: { ctx: Context }): Promise<void> {
  app.get('/sitemap.xml', async (_, reply) =>
    reply
      .type('application/xml')
      .header('cache-control', CACHE_CONTROL)
      .send(await sitemapIndex(ctx)),
  );
  app.get<{ Params: { name: string } }>('/sitemap/:name', async ({ params }, reply) => {
    const [fileName, kind, part] = FILE_NAME.exec(params.name) ?? [];
    if (!fileName) throw httpErrors.notFound();
    const body = kind ? await readStoredSitemap(ctx, kind as SitemapKind, Number(part)) : await renderPagesSitemap(ctx);
    const address = escapeXml(await siteAddress(ctx));
    const xml = `${XML_DECLARATION}<urlset ${XMLNS}>\n${body.replaceAll('<loc>', `<loc>${address}`)}</urlset>\n`;
    return reply.type('application/xml').header('cache-control', CACHE_CONTROL).send(xml);
  });
}

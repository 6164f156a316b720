import { listArticles } from '#modules/article/article.ts';
import { listCategories } from '#modules/category/category.ts';
import { siteAddress } from '#modules/settings/site-address.ts';
import type { Context } from '#platform/server/context.ts';

const escapeXml = (text: string) =>
  text.replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What a visitor may see: home, categories and single pages. */
export async function sitemap(ctx: Context): Promise<string> {
  const address = await siteAddress(ctx);
  const { category } = await listCategories(ctx, {});
  const { article } = await listArticles(ctx, { page: 1, size: 100 });
  const entries = [
    { path: '/', changed: null },
    ...category.map(({ id, updated_at }) => ({ path: `/category/${id}`, changed: updated_at })),
    ...article.map(({ identifier, updated_at }) => ({
      path: `/article/${identifier}`,
      changed: updated_at,
    })),
  ];
  const urls = entries.map(({ path, changed }) => {
    const lastmod = changed ? `<lastmod>${changed}</lastmod>` : '';
    return `<url><loc>${escapeXml(address + path)}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

/** Of a site that asks for a login there is nothing to be found. */
export async function robots(ctx: Context, isOpen: boolean): Promise<string> {
  if (!isOpen) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *
Disallow: /admin
Disallow: /api/
Sitemap: ${await siteAddress(ctx)}/sitemap.xml
`;
}

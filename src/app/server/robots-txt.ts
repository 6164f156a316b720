import { siteAddress } from '#modules/settings/site-address.ts';
import type { Context } from '#platform/server/context.ts';

/** A site that requires a login excludes all search engines. */
export async function robotsTxt(ctx: Context, isOpen: boolean): Promise<string> {
  if (!isOpen) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *
Disallow: /admin
Disallow: /api/
Sitemap: ${await siteAddress(ctx)}/sitemap.xml
`;
}

import { siteAddress } from '#modules/settings/site-address.ts';
import type { Context } from '#platform/server/context.ts';

/** Of a site that asks for a login there is nothing to be found. */
export async function robots(ctx: Context, isOpen: boolean): Promise<string> {
  if (!isOpen) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *
Disallow: /admin
Disallow: /api/
Sitemap: ${await siteAddress(ctx)}/sitemap.xml
`;
}

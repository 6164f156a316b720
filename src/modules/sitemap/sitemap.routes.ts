import { route } from '#platform/server/http/route.ts';
import { rebuildSitemap } from './generate-sitemap.ts';
import { sitemapApi } from './sitemap.contract.ts';

export const sitemapRoutes = [route(sitemapApi.rebuild, rebuildSitemap)];

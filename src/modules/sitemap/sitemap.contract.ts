import { endpoint } from '#platform/contract/endpoint.ts';
import { emptyObject } from '#platform/contract/shapes.ts';

export const sitemapApi = {
  rebuild: endpoint({
    method: 'PUT',
    path: '/sitemap',
    access: 'permission:ConfigAPI/UpdateSitemap',
    summary: '重新生成站点地图；在后台进行',
    input: emptyObject,
    output: emptyObject,
  }),
};

import { endpoint } from '#platform/contract/endpoint.ts';
import { nothing } from '#platform/contract/shapes.ts';

export const sitemapApi = {
  rebuild: endpoint({
    method: 'PUT',
    path: '/sitemap',
    access: 'permission:ConfigAPI/UpdateSitemap',
    summary: '重新生成站点地图；在后台进行',
    input: nothing,
    output: nothing,
  }),
};

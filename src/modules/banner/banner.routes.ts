import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { bannerApi } from './banner.contract.ts';
import { createBanner, deleteBanners, getBanner, listBanners, updateBanner } from './banner.ts';
import { bannerExport } from './export-banners.ts';

export const bannerRoutes = [
  route(bannerApi.list, listBanners),
  csvExportRoute(bannerApi.list, listBanners, bannerExport),
  route(bannerApi.get, getBanner),
  route(bannerApi.create, createBanner),
  route(bannerApi.update, updateBanner),
  route(bannerApi.remove, deleteBanners),
];

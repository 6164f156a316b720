import { route } from '#platform/server/http.ts';
import { bannerApi } from './banner.contract.ts';
import { createBanner, deleteBanners, getBanner, listBanners, updateBanner } from './banner.ts';

export const bannerRoutes = [
  route(bannerApi.list, listBanners),
  route(bannerApi.get, getBanner),
  route(bannerApi.create, createBanner),
  route(bannerApi.update, updateBanner),
  route(bannerApi.remove, deleteBanners),
];

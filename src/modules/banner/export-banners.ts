import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import { type bannerApi, bannerTypes } from './banner.contract.ts';

export const bannerExport: CsvExport<typeof bannerApi.list> = {
  name: '横幅',
  access: 'permission:BannerAPI/ListBanner',
  columns: [
    ['ID', 'id'],
    ['名称', 'title'],
    ['图片', 'path'],
    ['类型', ({ type }) => bannerTypes[type as keyof typeof bannerTypes]],
    ['启用', 'enable'],
    ['链接', 'url'],
    ['排序', 'sort'],
    ['备注', 'description'],
    ['更新时间', 'updated_at'],
  ],
};

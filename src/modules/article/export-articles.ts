import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { articleApi } from './article.contract.ts';

export const articleExport: CsvExport<typeof articleApi.list> = {
  name: '单页',
  access: 'permission:ArticleAPI/ListArticle',
  columns: [
    ['ID', 'id'],
    ['标题', 'title'],
    ['标识', 'identifier'],
    ['作者', 'author'],
    ['浏览', 'view_count'],
    ['关键字', 'keywords'],
    ['摘要', 'description'],
    ['更新时间', 'updated_at'],
  ],
};

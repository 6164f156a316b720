import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { categoryApi } from './category.contract.ts';

export const categoryExport: CsvExport<typeof categoryApi.list> = {
  name: '分类',
  access: 'permission:CategoryAPI/ListCategory',
  columns: [
    ['ID', 'id'],
    ['名称', 'title'],
    ['上级分类 ID', ({ parent_id }) => parent_id || ''],
    ['启用', 'enable'],
    ['排序', 'sort'],
    ['文档数', 'doc_count'],
    ['描述', 'description'],
    ['更新时间', 'updated_at'],
  ],
};

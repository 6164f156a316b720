import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { CsvColumn } from '#platform/server/http/csv.ts';
import {
  type Document,
  type DocumentStatus,
  type DocumentVisibility,
  type documentApi,
  documentStatuses,
  documentVisibilities,
} from './document.contract.ts';
import type { recycleApi } from './recycle.contract.ts';

const columns: readonly CsvColumn<Document>[] = [
  ['ID', 'id'],
  ['名称', 'title'],
  ['扩展名', 'ext'],
  ['上传者 ID', 'user_id'],
  ['上传者', 'username'],
  ['状态', ({ status }) => documentStatuses[status as DocumentStatus]],
  ['原因', ({ convert_error, reject_reason }) => convert_error || reject_reason],
  ['可见范围', ({ visibility }) => documentVisibilities[visibility as DocumentVisibility]],
  ['分类', ({ category }) => category.map(({ title }) => title).join(' / ')],
  ['大小（字节）', 'size'],
  ['页数', 'pages'],
  ['价格', 'price'],
  ['下载', 'download_count'],
  ['浏览', 'view_count'],
  ['收藏', 'favorite_count'],
  ['评论', 'comment_count'],
  ['评分人数', 'score_count'],
  ['关键字', 'keywords'],
  ['推荐时间', 'recommend_at'],
  ['创建时间', 'created_at'],
];

export const documentExport: CsvExport<typeof documentApi.list> = {
  name: '文档',
  access: 'permission:DocumentAPI/ListDocument',
  columns,
};

export const recycleExport: CsvExport<typeof recycleApi.list> = {
  name: '回收站',
  access: 'permission:RecycleAPI/ListRecycleDocument',
  columns: [...columns, ['删除者', 'deleted_username'], ['删除时间', 'deleted_at']],
};

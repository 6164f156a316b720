import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { friendLinkApi } from './friend-link.contract.ts';

export const friendLinkExport: CsvExport<typeof friendLinkApi.list> = {
  name: '友链',
  access: 'permission:FriendlinkAPI/ListFriendlink',
  columns: [
    ['ID', 'id'],
    ['启用', 'enable'],
    ['名称', 'title'],
    ['链接', 'link'],
    ['排序', 'sort'],
    ['描述', 'description'],
    ['更新时间', 'updated_at'],
  ],
};

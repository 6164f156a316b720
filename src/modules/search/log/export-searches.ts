import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { searchAdminApi } from '../search-admin.contract.ts';

export const recordExport: CsvExport<typeof searchAdminApi.records> = {
  name: '搜索记录',
  access: 'permission:SearchRecordAPI/ListSearchRecord',
  columns: [
    ['ID', 'id'],
    ['搜索词', 'keywords'],
    ['结果数', 'total'],
    ['页码', 'page'],
    ['用时（毫秒）', ({ spend_time }) => Math.round(spend_time * 1000)],
    ['用户 ID', ({ user_id }) => user_id || ''],
    ['用户', ({ user_id, username }) => (user_id > 0 ? username : '游客')],
    ['IP', 'ip'],
    ['浏览器', 'user_agent'],
    ['时间', 'created_at'],
  ],
};

export const queryExport: CsvExport<typeof searchAdminApi.words> = {
  name: '搜索词',
  access: 'permission:SearchRecordAPI/ListSearchRecord',
  columns: [
    ['搜索词', 'keywords'],
    ['次数', 'count'],
    ['人数', 'users'],
    ['最近结果数', 'total'],
    ['最近搜索', 'searched_at'],
  ],
};

export const synonymExport: CsvExport<typeof searchAdminApi.synonyms> = {
  name: '同义词',
  access: 'permission:SearchRecordAPI/ListSynonym',
  columns: [
    ['ID', 'id'],
    ['启用', 'enable'],
    ['意思相同的词', ({ words }) => words.join('、')],
    ['更新时间', 'updated_at'],
  ],
};

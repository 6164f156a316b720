import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import {
  type ReportAction,
  type ReportReason,
  reportActions,
  type reportApi,
  reportReasons,
} from './report.contract.ts';

export const reportExport: CsvExport<typeof reportApi.list> = {
  name: '举报',
  access: 'permission:ReportAPI/ListReport',
  columns: [
    ['ID', 'id'],
    ['状态', ({ status }) => (status ? '已处理' : '未处理')],
    ['处理', ({ status, action }) => (status ? reportActions[action as ReportAction] : '')],
    ['文档 ID', 'document_id'],
    ['文档', 'document_title'],
    ['举报原因', ({ reason }) => reportReasons[reason as ReportReason]],
    ['补充说明', 'content'],
    ['举报人 ID', 'user_id'],
    ['举报人', 'username'],
    ['答复', 'remark'],
    ['处理人', 'handler'],
    ['处理时间', 'handled_at'],
    ['举报时间', 'created_at'],
  ],
};

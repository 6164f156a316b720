import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import { type mailApi, mailStatuses } from './mail.contract.ts';

export const mailExport: CsvExport<typeof mailApi.list> = {
  name: '邮件',
  access: 'permission:MailAPI/ListMail',
  columns: [
    ['ID', 'id'],
    ['收件人', 'to'],
    ['主题', 'subject'],
    ['状态', ({ status }) => mailStatuses[status]],
    ['失败原因', 'error'],
    ['时间', 'created_at'],
  ],
};

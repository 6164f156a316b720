import type { AuditChange, auditApi } from './audit.contract.ts';
import type { CsvExport } from './csv-export-route.ts';

const formatChange = ({ field, before, after }: AuditChange) =>
  `${field}：${[before, after].filter((side) => side !== null).join(' → ')}`;

export const auditExport: CsvExport<typeof auditApi.list> = {
  name: '操作记录',
  access: 'permission:AuditAPI/ListAudit',
  columns: [
    ['ID', 'id'],
    ['操作', 'action'],
    ['对象', 'target'],
    ['变更', ({ changes }) => changes.map(formatChange).join('\n')],
    ['操作者 ID', 'user_id'],
    ['操作者', 'username'],
    ['IP', 'ip'],
    ['时间', 'created_at'],
  ],
};

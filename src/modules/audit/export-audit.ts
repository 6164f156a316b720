import type { AuditChange, auditApi } from './audit.contract.ts';
import type { Export } from './export-route.ts';

const changeInWords = ({ field, before, after }: AuditChange) =>
  `${field}：${[before, after].filter((side) => side !== null).join(' → ')}`;

export const auditExport: Export<typeof auditApi.list> = {
  name: '操作记录',
  access: 'permission:AuditAPI/ListAudit',
  columns: [
    ['ID', 'id'],
    ['操作', 'action'],
    ['对象', 'target'],
    ['变更', ({ changes }) => changes.map(changeInWords).join('\n')],
    ['操作者 ID', 'user_id'],
    ['操作者', 'username'],
    ['IP', 'ip'],
    ['时间', 'created_at'],
  ],
};

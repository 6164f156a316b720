import { route } from '#platform/server/http/route.ts';
import { auditApi } from './audit.contract.ts';
import { listAudit } from './audit.ts';
import type { AuditWords } from './describe-changes.ts';
import { auditExport } from './export-audit.ts';
import { exportRoute } from './export-route.ts';

/** The words of fields come from modules above this one; the app hands them in. */
export const auditRoutes = (words: AuditWords) => [
  route(auditApi.list, listAudit(words)),
  exportRoute(auditApi.list, listAudit(words), auditExport),
];

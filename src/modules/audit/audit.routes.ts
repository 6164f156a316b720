import { route } from '#platform/server/http/route.ts';
import { auditApi } from './audit.contract.ts';
import { listAudit } from './audit.ts';
import { csvExportRoute } from './csv-export-route.ts';
import type { AuditLabels } from './describe-changes.ts';
import { auditExport } from './export-audit.ts';

/** The words of fields come from modules above this one; the app hands them in. */
export const auditRoutes = (words: AuditLabels) => [
  route(auditApi.list, listAudit(words)),
  csvExportRoute(auditApi.list, listAudit(words), auditExport),
];

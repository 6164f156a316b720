import { route } from '#platform/server/http/route.ts';
import { auditApi } from './audit.contract.ts';
import { listAudit } from './audit.ts';
import { csvExportRoute } from './csv-export-route.ts';
import { auditExport } from './export-audit.ts';
import type { AuditLabels } from './label-audit-changes.ts';

/** Labels come from modules that depend on this one; the app passes them in. */
export const auditRoutes = (labels: AuditLabels) => [
  route(auditApi.list, listAudit(labels)),
  csvExportRoute(auditApi.list, listAudit(labels), auditExport),
];

import { route } from '#platform/server/http.ts';
import { auditApi } from './audit.contract.ts';
import { listAudit } from './audit.ts';

export const auditRoutes = [route(auditApi.list, listAudit)];

import { exportRoute } from '#modules/audit/export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { mailExport } from './export-mails.ts';
import { mailApi } from './mail.contract.ts';
import { getMail, listMails } from './mail.ts';

export const mailRoutes = [
  route(mailApi.list, listMails),
  exportRoute(mailApi.list, listMails, mailExport),
  route(mailApi.get, getMail),
];

import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { mailExport } from './export-mails.ts';
import { mailApi } from './mail.contract.ts';
import { getMail, listMails } from './mail.ts';

export const mailRoutes = [
  route(mailApi.list, listMails),
  csvExportRoute(mailApi.list, listMails, mailExport),
  route(mailApi.get, getMail),
];

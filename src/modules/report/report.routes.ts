import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { reportExport } from './export-reports.ts';
import { handleReports, removeReports, updateReport } from './handle-reports.ts';
import { reportApi } from './report.contract.ts';
import { createReport, getMyReport, listReports } from './report.ts';

export const reportRoutes = [
  route(reportApi.create, createReport),
  route(reportApi.getMine, getMyReport),
  route(reportApi.list, listReports),
  csvExportRoute(reportApi.list, listReports, reportExport),
  route(reportApi.handle, handleReports),
  route(reportApi.update, updateReport),
  route(reportApi.remove, removeReports),
];

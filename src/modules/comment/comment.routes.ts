import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { commentApi } from './comment.contract.ts';
import { createComment } from './create-comment.ts';
import { commentExport } from './export-comments.ts';
import { getComment, listComments } from './list-comments.ts';
import { removeComments, reviewComments, updateComment } from './review-and-edit-comments.ts';

export const commentRoutes = [
  route(commentApi.create, createComment),
  route(commentApi.update, updateComment),
  route(commentApi.remove, removeComments),
  route(commentApi.get, getComment),
  route(commentApi.list, listComments),
  csvExportRoute(commentApi.list, listComments, commentExport),
  route(commentApi.check, reviewComments),
];

import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { articleApi } from './article.contract.ts';
import { createArticle, deleteArticles, getArticle, listArticles, updateArticle } from './article.ts';
import { articleExport } from './export-articles.ts';

export const articleRoutes = [
  route(articleApi.list, listArticles),
  csvExportRoute(articleApi.list, listArticles, articleExport),
  route(articleApi.get, getArticle),
  route(articleApi.create, createArticle),
  route(articleApi.update, updateArticle),
  route(articleApi.remove, deleteArticles),
];

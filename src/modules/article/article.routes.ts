import { route } from '#platform/server/http.ts';
import { articleApi } from './article.contract.ts';
import {
  createArticle,
  deleteArticles,
  getArticle,
  listArticles,
  updateArticle,
} from './article.ts';

export const articleRoutes = [
  route(articleApi.list, listArticles),
  route(articleApi.get, getArticle),
  route(articleApi.create, createArticle),
  route(articleApi.update, updateArticle),
  route(articleApi.remove, deleteArticles),
];

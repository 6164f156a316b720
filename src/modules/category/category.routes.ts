import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { categoryApi } from './category.contract.ts';
import { getCategory, listCategories } from './category.ts';
import { createCategories } from './create-categories.ts';
import { deleteCategories } from './delete-categories.ts';
import { categoryExport } from './export-categories.ts';
import { updateCategory } from './update-category.ts';

export const categoryRoutes = [
  route(categoryApi.list, listCategories),
  csvExportRoute(categoryApi.list, listCategories, categoryExport),
  route(categoryApi.get, getCategory),
  route(categoryApi.create, createCategories),
  route(categoryApi.update, updateCategory),
  route(categoryApi.remove, deleteCategories),
];

import { route } from '#platform/server/http.ts';
import { categoryApi } from './category.contract.ts';
import { getCategory, listCategories } from './category.ts';
import { createCategories } from './create-categories.ts';
import { deleteCategories } from './delete-categories.ts';
import { updateCategory } from './update-category.ts';

export const categoryRoutes = [
  route(categoryApi.list, listCategories),
  route(categoryApi.get, getCategory),
  route(categoryApi.create, createCategories),
  route(categoryApi.update, updateCategory),
  route(categoryApi.remove, deleteCategories),
];

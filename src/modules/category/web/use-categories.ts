import { createContext, useContext, useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { persisted } from '#platform/web/storage.ts';
import { CATEGORY_FIELDS, type categoryApi } from '../category.contract.ts';
import {
  type Categories,
  type CategoryItem,
  type CategoryNode,
  indexCategories,
  visibleTree,
} from './category-tree.ts';

/** How the public site asks for its categories. */
export const CATEGORY_INPUT: InputOf<typeof categoryApi.list> = { field: CATEGORY_FIELDS };

/** What this browser last knew. Only the list is written down; map and tree follow from it. */
export const useCategoryStore = create<Categories>()(
  persist((): Categories => indexCategories([]), {
    ...persisted<{ list: CategoryItem[] }>('category'),
    partialize: ({ list }) => ({ list }),
    merge: (kept, current) => ({
      ...current,
      ...indexCategories((kept as { list?: CategoryItem[] } | undefined)?.list ?? []),
    }),
  }),
);

export const CategoriesContext = createContext<Categories>(indexCategories([]));
export const useCategories = () => useContext(CategoriesContext);

/** The tree as visitors see it. */
export function useVisibleCategories(): CategoryNode[] {
  const { tree } = useCategories();
  const hideEmpty = useSettings().display.hide_category_without_document;
  return useMemo(() => visibleTree(tree, hideEmpty), [tree, hideEmpty]);
}

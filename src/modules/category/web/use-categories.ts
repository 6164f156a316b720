import { createContext, useContext, useMemo } from 'react';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { localStorageOptions } from '#platform/web/browser-storage.ts';
import { CATEGORY_FIELDS, type categoryApi } from '../category.contract.ts';
import {
  type Categories,
  type CategoryItem,
  type CategoryNode,
  indexCategories,
  visibleTree,
} from './indexed-categories.ts';

/** Input with which the public site requests its categories. */
export const CATEGORY_INPUT: InputOf<typeof categoryApi.list> = { field: CATEGORY_FIELDS };

/** Categories stored in the browser. Only the list is persisted; map and tree are derived from it. */
export const useCategoryStore = create<Categories>()(
  persist((): Categories => indexCategories([]), {
    ...localStorageOptions<{ list: CategoryItem[] }>('category'),
    partialize: ({ list }) => ({ list }),
    merge: (storedState, currentState) => ({
      ...currentState,
      ...indexCategories((storedState as { list?: CategoryItem[] } | undefined)?.list ?? []),
    }),
  }),
);

export const CategoriesContext = createContext<Categories>(indexCategories([]));
export const useCategories = () => useContext(CategoriesContext);

/** The tree that visitors see. */
export function useVisibleCategories(): CategoryNode[] {
  const { tree } = useCategories();
  const hideEmpty = useSettings().display.hide_category_without_document;
  return useMemo(() => visibleTree(tree, hideEmpty), [tree, hideEmpty]);
}

import { ChevronDown } from 'lucide-react';
import { lazy } from 'react';
import { LazyMenu } from '#platform/web/ui/lazy-menu.tsx';

const loadCategoryMenuPopup = () => import('./category-menu-popup.tsx');
const CategoryMenuPopup = lazy(() => loadCategoryMenuPopup().then((module) => ({ default: module.CategoryMenuPopup })));

export function CategoryMenu() {
  return (
    <LazyMenu
      preload={loadCategoryMenuPopup}
      className="flex h-10 items-center gap-1 rounded-md px-3 text-14 transition-colors hover:bg-bean-soft hover:text-bean aria-expanded:bg-bean-soft aria-expanded:text-bean"
      trigger={
        <>
          频道分类
          <ChevronDown aria-hidden="true" className="size-4 opacity-70" />
        </>
      }
    >
      {(popup) => <CategoryMenuPopup {...popup} />}
    </LazyMenu>
  );
}

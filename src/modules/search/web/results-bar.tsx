import { SlidersHorizontal } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '#platform/web/ui/button.tsx';
import { type SearchSort, searchSorts } from '../search.contract.ts';
import { countFilters, type SearchQuery, searchHref } from './search-url.ts';
import type { SearchResult } from './use-search.ts';

const loadSheet = () => import('./facets-sheet.tsx').then((module) => ({ default: module.FacetsSheet }));
const FacetsSheet = lazy(loadSheet);

/** Sort orders; on narrow windows also the button that opens the filters. */
export function ResultsBar({ query, result }: { query: SearchQuery; result: SearchResult }) {
  return (
    <div className="flex items-center gap-2 border-b border-line">
      <nav aria-label="排序" className="min-w-0 flex-1 overflow-x-auto">
        <ul className="flex">
          {Object.entries(searchSorts).map(([sort, title]) => (
            <li key={sort}>
              <Link
                to={searchHref({ ...query, sort: sort as SearchSort, page: 1 })}
                preventScrollReset
                rel="nofollow"
                aria-current={query.sort === sort ? 'true' : undefined}
                className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-14 whitespace-nowrap text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-[current]:border-bean aria-[current]:font-medium aria-[current]:text-bean"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <FilterButton query={query} result={result} />
    </div>
  );
}

/** Hidden without scripts: the filters are then below the results. */
function FilterButton({ query, result }: { query: SearchQuery; result: SearchResult }) {
  const [open, setOpen] = useState(false);
  const [isSheetRequested, setSheetRequested] = useState(false);
  const activeFilterCount = countFilters(query);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={loadSheet}
        onClick={() => {
          setSheetRequested(true);
          setOpen(true);
        }}
        className={buttonClass({ variant: 'quiet' }, 'px-3 lg:hidden [:root:not([data-scripting])_&]:hidden')}
      >
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        {activeFilterCount > 0 ? `筛选 ${activeFilterCount}` : '筛选'}
      </button>
      {isSheetRequested ? (
        <Suspense fallback={null}>
          <FacetsSheet open={open} onClose={() => setOpen(false)} query={query} result={result} />
        </Suspense>
      ) : null}
    </>
  );
}

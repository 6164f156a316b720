import { BottomSheet } from '#platform/web/ui/bottom-sheet.tsx';
import { Button } from '#platform/web/ui/button.tsx';
import { SearchFacets } from './search-facets.tsx';
import type { SearchQuery } from './search-url.ts';
import type { SearchResult } from './use-search.ts';

/** Filters on phones. Stays open after a choice, so that the user can choose several. */
export function FacetsSheet({
  open,
  onClose,
  query,
  result,
}: {
  open: boolean;
  onClose: () => void;
  query: SearchQuery;
  result: SearchResult;
}) {
  return (
    <BottomSheet open={open} onClose={onClose} title="筛选">
      <SearchFacets query={query} result={result} />
      <div className="sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-surface px-5 py-3">
        <Button className="w-full" onClick={onClose}>
          查看 {result.total} 篇文档
        </Button>
      </div>
    </BottomSheet>
  );
}

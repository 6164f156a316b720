import { Button } from '#platform/web/ui/button.tsx';
import { Sheet } from '#platform/web/ui/sheet.tsx';
import { SearchFacets } from './search-facets.tsx';
import type { SearchQuery } from './search-query.ts';
import type { SearchResult } from './use-search.ts';

/** The filters of phones. It stays open, so that several can be chosen. */
export function FacetsSheet({
  open,
  onClose,
  query,
  found,
}: {
  open: boolean;
  onClose: () => void;
  query: SearchQuery;
  found: SearchResult;
}) {
  return (
    <Sheet open={open} onClose={onClose} title="筛选">
      <SearchFacets query={query} found={found} />
      <div className="sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-surface px-5 py-3">
        <Button className="w-full" onClick={onClose}>
          查看 {found.total} 篇文档
        </Button>
      </div>
    </Sheet>
  );
}

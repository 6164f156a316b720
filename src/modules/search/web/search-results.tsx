import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { Button } from '#platform/web/ui/button.tsx';
import { Empty } from '#platform/web/ui/empty.tsx';
import { LostPage } from '#platform/web/ui/illustrations.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { DidYouMean } from './did-you-mean.tsx';
import { NoResults, SearchStart } from './no-results.tsx';
import { WordLinks } from './query-links.tsx';
import { ResultsBar } from './results-bar.tsx';
import { SearchFacets } from './search-facets.tsx';
import { SearchHitCard } from './search-hit.tsx';
import { countFilters, SEARCH_SIZE, type SearchQuery, searchHref } from './search-query.ts';
import { type SearchResult, useSearch } from './use-search.ts';

/** Of the first results the covers are seen at once. */
const FIRST = 4;

type Props = {
  query: SearchQuery;
  rendered?: SearchResult;
  /** Why the server could not search when it drew the page. */
  failure?: string;
};

/** Results, or what stands in their place. */
export function SearchResults({ query, rendered, failure = '' }: Props) {
  const search = useSearch(query, rendered);
  const { data } = search;
  return (
    <>
      {/* Always there, so that readers of screens hear it change. */}
      <p role="status" className="sr-only">
        {data && query.wd ? `找到 ${data.total} 篇文档` : ''}
      </p>
      <Answer search={search} query={query} failure={failure} />
    </>
  );
}

function Answer({
  search,
  query,
  failure,
}: {
  search: ReturnType<typeof useSearch>;
  query: SearchQuery;
  failure: string;
}) {
  if (query.wd === '') return <SearchStart />;
  const reason = search.isError ? search.error.message : failure;
  if (search.data && !search.isError)
    return <Results query={query} found={search.data} isOld={search.isPlaceholderData} />;
  if (reason || search.isError) return <Outage message={reason} pending={search.isFetching} onRetry={search.refetch} />;
  return (
    <Columns>
      <DocumentListSkeleton density="row" />
    </Columns>
  );
}

/** Search alone is out of order; the rest of the house is open. */
function Outage({ message, pending, onRetry }: { message: string; pending: boolean; onRetry: () => unknown }) {
  return (
    <div role="alert">
      <Empty
        picture={<LostPage />}
        title="暂时无法搜索"
        action={
          <>
            <Button pending={pending} onClick={() => onRetry()}>
              重试
            </Button>
            <Link to="/category" className="inline-flex min-h-10 items-center px-3 text-bean">
              按分类浏览
            </Link>
          </>
        }
      >
        {message || '搜索没有成功，请稍后再试。'}
      </Empty>
    </div>
  );
}

/** Filters at the left, results in the middle, what goes with them at the right. */
function Columns({ side, words, children }: { side?: ReactNode; words?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-8 lg:grid-cols-[192px_minmax(0,1fr)] xl:grid-cols-[192px_minmax(0,1fr)_224px]">
      <div className="min-w-0 lg:col-start-2 lg:row-start-1">{children}</div>
      <aside
        aria-label="筛选"
        className="max-lg:hidden lg:col-start-1 lg:row-span-2 lg:row-start-1 [:root:not([data-scripting])_&]:block"
      >
        {side}
      </aside>
      <div className="min-w-0 lg:col-start-2 xl:col-start-3 xl:row-start-1">{words}</div>
    </div>
  );
}

function Results({ query, found, isOld }: { query: SearchQuery; found: SearchResult; isOld: boolean }) {
  const isEmpty = found.document.length === 0;
  const facets = <SearchFacets query={query} found={found} />;
  if (isEmpty && found.total === 0 && countFilters(query) === 0) return <NoResults query={query} found={found} />;
  return (
    <Columns side={facets} words={<WordLinks title="相关搜索" words={found.related_words} />}>
      <Summary found={found} />
      <Hints found={found} />
      <ResultsBar query={query} found={found} />
      <div aria-busy={isOld} className={`transition-opacity ${isOld ? 'opacity-50' : ''}`}>
        {isEmpty ? (
          <NoResults query={query} found={found} />
        ) : (
          <ol aria-label="搜索结果" className="divide-y divide-line">
            {found.document.map((row, at) => (
              <SearchHitCard key={row.id} row={row} isFirst={at < FIRST} />
            ))}
          </ol>
        )}
        <div className="border-t border-line py-4 empty:hidden">
          <Pagination
            page={query.page}
            total={found.max_page * SEARCH_SIZE}
            size={SEARCH_SIZE}
            hrefOf={(page) => searchHref({ ...query, page })}
          />
        </div>
      </div>
    </Columns>
  );
}

function Summary({ found: { total, is_exact, spend } }: { found: SearchResult }) {
  return (
    <p className="pb-2 text-13 text-ink-2 tabular-nums">
      {`${is_exact ? '找到' : '找到约'} ${total.toLocaleString('zh-CN')} 篇文档，用时 ${spend} 秒`}
    </p>
  );
}

/** What else may have been meant, and what was done about words that do not meet. */
function Hints({ found: { did_you_mean, is_relaxed } }: { found: SearchResult }) {
  return (
    <div className="text-14 not-empty:pb-2">
      {did_you_mean ? <DidYouMean word={did_you_mean} /> : null}
      {is_relaxed ? <p className="text-ink-2">没有文档包含全部的词，以下文档包含其中一部分。</p> : null}
    </div>
  );
}

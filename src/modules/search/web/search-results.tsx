import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { Button } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { LostPageIllustration } from '#platform/web/ui/illustrations.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { DidYouMean } from './did-you-mean.tsx';
import { EmptyQueryState, NoResults } from './no-results.tsx';
import { QueryLinks } from './query-links.tsx';
import { ResultsBar } from './results-bar.tsx';
import { SearchFacets } from './search-facets.tsx';
import { SearchHitCard } from './search-hit.tsx';
import { countFilters, SEARCH_PAGE_SIZE, type SearchQuery, searchHref } from './search-url.ts';
import { type SearchResult, useSearch } from './use-search.ts';

/** The covers of the first results are visible without scrolling, so they load eagerly. */
const EAGER_COVERS = 4;

type Props = {
  query: SearchQuery;
  rendered?: SearchResult;
  /** Why the search failed during server rendering. */
  failure?: string;
};

export function SearchResults({ query, rendered, failure = '' }: Props) {
  const search = useSearch(query, rendered);
  const { data } = search;
  return (
    <>
      {/* Always rendered, so that screen readers announce changes. */}
      <p role="status" className="sr-only">
        {data && query.wd ? `找到 ${data.total} 篇文档` : ''}
      </p>
      <SearchContent search={search} query={query} failure={failure} />
    </>
  );
}

function SearchContent({
  search,
  query,
  failure,
}: {
  search: ReturnType<typeof useSearch>;
  query: SearchQuery;
  failure: string;
}) {
  if (query.wd === '') return <EmptyQueryState />;
  const reason = search.isError ? search.error.message : failure;
  if (search.data && !search.isError)
    return <ResultsWithFacets query={query} result={search.data} isStale={search.isPlaceholderData} />;
  if (reason || search.isError) return <Outage message={reason} pending={search.isFetching} onRetry={search.refetch} />;
  return (
    <SearchColumns>
      <DocumentListSkeleton density="row" />
    </SearchColumns>
  );
}

/** The rest of the site still works. */
function Outage({ message, pending, onRetry }: { message: string; pending: boolean; onRetry: () => unknown }) {
  return (
    <div role="alert">
      <EmptyState
        picture={<LostPageIllustration />}
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
      </EmptyState>
    </div>
  );
}

/** Filters on the left, results in the middle, related queries on the right. */
function SearchColumns({
  filters,
  related,
  children,
}: {
  filters?: ReactNode;
  related?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 gap-x-8 gap-y-8 lg:grid-cols-[192px_minmax(0,1fr)] xl:grid-cols-[192px_minmax(0,1fr)_224px]">
      <div className="min-w-0 lg:col-start-2 lg:row-start-1">{children}</div>
      <aside
        aria-label="筛选"
        className="max-lg:hidden lg:col-start-1 lg:row-span-2 lg:row-start-1 [:root:not([data-scripting])_&]:block"
      >
        {filters}
      </aside>
      <div className="min-w-0 lg:col-start-2 xl:col-start-3 xl:row-start-1">{related}</div>
    </div>
  );
}

function ResultsWithFacets({ query, result, isStale }: { query: SearchQuery; result: SearchResult; isStale: boolean }) {
  const isEmpty = result.document.length === 0;
  const facets = <SearchFacets query={query} result={result} />;
  if (isEmpty && result.total === 0 && countFilters(query) === 0) return <NoResults query={query} result={result} />;
  return (
    <SearchColumns filters={facets} related={<QueryLinks title="相关搜索" queries={result.related_words} />}>
      <ResultSummary result={result} />
      <SearchHints result={result} />
      <ResultsBar query={query} result={result} />
      <div aria-busy={isStale} className={`transition-opacity ${isStale ? 'opacity-50' : ''}`}>
        {isEmpty ? (
          <NoResults query={query} result={result} />
        ) : (
          <ol aria-label="搜索结果" className="divide-y divide-line">
            {result.document.map((row, at) => (
              <SearchHitCard key={row.id} row={row} isFirst={at < EAGER_COVERS} />
            ))}
          </ol>
        )}
        <div className="border-t border-line py-4 empty:hidden">
          <Pagination
            page={query.page}
            total={result.max_page * SEARCH_PAGE_SIZE}
            size={SEARCH_PAGE_SIZE}
            hrefOf={(page) => searchHref({ ...query, page })}
          />
        </div>
      </div>
    </SearchColumns>
  );
}

function ResultSummary({ result: { total, is_exact, spend } }: { result: SearchResult }) {
  return (
    <p className="pb-2 text-13 text-ink-2 tabular-nums">
      {`${is_exact ? '找到' : '找到约'} ${total.toLocaleString('zh-CN')} 篇文档，用时 ${spend} 秒`}
    </p>
  );
}

/** Spelling correction and the notice about partial matches. */
function SearchHints({ result: { did_you_mean, is_relaxed } }: { result: SearchResult }) {
  return (
    <div className="text-14 not-empty:pb-2">
      {did_you_mean ? <DidYouMean word={did_you_mean} /> : null}
      {is_relaxed ? <p className="text-ink-2">没有文档包含全部的词，以下文档包含其中一部分。</p> : null}
    </div>
  );
}

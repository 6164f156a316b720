import { useUser } from '#modules/account/web/session-store.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { documentApi } from '../document.contract.ts';
import { DocumentList, DocumentListSkeleton } from './document-list.tsx';
import { isFiltered, LIST_PAGE_SIZE, type ListQuery, listHref, toListInput } from './list-url.ts';
import type { DocumentListResult } from './user-documents.tsx';

/** Long enough that going back from a document restores the list and the scroll position. */
const CACHE_TTL_MS = 60 * 60_000;

/**
 * Documents of a category, or all. Cached per viewer, because members see more than visitors; `renderedList` is the
 * server-rendered list for a visitor.
 */
export function useCategoryDocuments(
  category: number | undefined,
  query: ListQuery,
  renderedList?: DocumentListResult,
) {
  const viewer = useUser()?.id ?? 0;
  // The view mode does not affect the response.
  const { view, ...request } = query;
  return useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(documentApi.list, { category, ...request }), viewer],
    queryFn: ({ signal }) => callEndpoint(documentApi.list, toListInput(query, category), { signal }),
    initialData: viewer === 0 ? renderedList : undefined,
    // Keeps the previous list while only sort or page change.
    placeholderData: (previous, previousQuery) =>
      renderedList ??
      ((previousQuery?.queryKey[2] as { category?: number })?.category === category ? previous : undefined),
    gcTime: CACHE_TTL_MS,
  });
}

type CategoryQuery = ReturnType<typeof useCategoryDocuments>;

export function CategoryDocuments({
  result,
  path,
  query,
  name,
}: {
  result: CategoryQuery;
  path: string;
  query: ListQuery;
  /** Category title; empty for all documents. */
  name: string;
}) {
  if (!result.data) return <ListPlaceholder query={result} skeleton={<DocumentListSkeleton density={query.view} />} />;
  const { document, total } = result.data;
  if (document.length === 0) return <EmptyResult path={path} query={query} name={name} total={total} />;
  return (
    <div
      aria-busy={result.isPlaceholderData}
      className={`transition-opacity ${result.isPlaceholderData ? 'opacity-50' : ''}`}
    >
      <div className={query.view === 'cover' ? 'py-6' : ''}>
        <DocumentList label="文档" density={query.view} documents={document} />
      </div>
      <div className="border-t border-line py-4 empty:hidden">
        <Pagination
          page={query.page}
          total={total}
          size={LIST_PAGE_SIZE}
          hrefOf={(page) => listHref(path, { ...query, page })}
        />
      </div>
    </div>
  );
}

function EmptyResult({ path, query, name, total }: { path: string; query: ListQuery; name: string; total: number }) {
  if (total > 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="这一页没有文档"
        action={<ButtonLink to={listHref(path, { ...query, page: 1 })}>回到第一页</ButtonLink>}
      />
    );
  if (isFiltered(query))
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="没有符合条件的文档"
        action={
          <ButtonLink to={path} variant="outline">
            清除筛选
          </ButtonLink>
        }
      >
        换一个类型、费用或时间试试。
      </EmptyState>
    );
  return (
    <EmptyState
      picture={<EmptyShelfIllustration />}
      title="这一格书架还空着"
      action={<ButtonLink to="/upload">上传文档</ButtonLink>}
    >
      {name ? `“${name}”里还没有文档。` : '这里还没有文档。'}
      您可以成为第一个分享的人。
    </EmptyState>
  );
}

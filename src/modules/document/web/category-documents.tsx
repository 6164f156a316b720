import { useUser } from '#modules/account/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { ButtonLink } from '#platform/web/ui/button.tsx';
import { Empty } from '#platform/web/ui/empty.tsx';
import { EmptyShelf } from '#platform/web/ui/illustrations.tsx';
import { ListState } from '#platform/web/ui/list-state.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useFetch } from '#platform/web/use-fetch.ts';
import { documentApi } from '../document.contract.ts';
import { DocumentList, DocumentListSkeleton } from './document-list.tsx';
import { isFiltered, LIST_SIZE, type ListQuery, listHref, listInputOf } from './list-query.ts';
import type { Shelf } from './user-documents.tsx';

/** Going back from a long read still finds the list, and with it the place in it. */
const KEPT_MS = 60 * 60_000;

/**
 * The documents of a category, of all without one. Members see more than visitors, so the list is
 * kept for each viewer; `rendered` is what the server drew for a visitor.
 */
export function useCategoryDocuments(category: number | undefined, query: ListQuery, rendered?: Shelf) {
  const viewer = useUser()?.id ?? 0;
  // Of how it is shown the answer knows nothing.
  const { view, ...asked } = query;
  return useFetch({
    queryKey: [...keyOf(documentApi.list, { category, ...asked }), viewer],
    queryFn: ({ signal }) =>
      // Its own place shows that it is coming.
      call(documentApi.list, listInputOf(query, category), { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    // The list of another sort or page stays until the next one is there; that of another category does not.
    placeholderData: (before, asked) =>
      rendered ?? ((asked?.queryKey[2] as { category?: number })?.category === category ? before : undefined),
    gcTime: KEPT_MS,
  });
}

type Found = ReturnType<typeof useCategoryDocuments>;

export function CategoryDocuments({
  found,
  path,
  query,
  name,
}: {
  found: Found;
  path: string;
  query: ListQuery;
  /** Of the category; empty for all documents. */
  name: string;
}) {
  if (!found.data) return <ListState found={found} shape={<DocumentListSkeleton density={query.view} />} />;
  const { document, total } = found.data;
  if (document.length === 0) return <Nothing path={path} query={query} name={name} total={total} />;
  return (
    <div
      aria-busy={found.isPlaceholderData}
      className={`transition-opacity ${found.isPlaceholderData ? 'opacity-50' : ''}`}
    >
      <div className={query.view === 'cover' ? 'py-6' : ''}>
        <DocumentList label="文档" density={query.view} documents={document} />
      </div>
      <div className="border-t border-line py-4 empty:hidden">
        <Pagination
          page={query.page}
          total={total}
          size={LIST_SIZE}
          hrefOf={(page) => listHref(path, { ...query, page })}
        />
      </div>
    </div>
  );
}

function Nothing({ path, query, name, total }: { path: string; query: ListQuery; name: string; total: number }) {
  if (total > 0)
    return (
      <Empty
        picture={<EmptyShelf />}
        title="这一页没有文档"
        action={<ButtonLink to={listHref(path, { ...query, page: 1 })}>回到第一页</ButtonLink>}
      />
    );
  if (isFiltered(query))
    return (
      <Empty
        picture={<EmptyShelf />}
        title="没有符合条件的文档"
        action={
          <ButtonLink to={path} variant="outline">
            清除筛选
          </ButtonLink>
        }
      >
        换一个类型、费用或时间试试。
      </Empty>
    );
  return (
    <Empty picture={<EmptyShelf />} title="这一格书架还空着" action={<ButtonLink to="/upload">上传文档</ButtonLink>}>
      {name ? `“${name}”里还没有文档。` : '这里还没有文档。'}
      您可以成为第一个分享的人。
    </Empty>
  );
}

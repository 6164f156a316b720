import { useUser } from '#modules/account/web/session.ts';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { DocumentRow } from '#modules/document/web/document-row.tsx';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { Empty } from '#platform/web/ui/empty.tsx';
import { EmptyShelf } from '#platform/web/ui/illustrations.tsx';
import { ListState } from '#platform/web/ui/list-state.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useFetch } from '#platform/web/use-fetch.ts';
import { FAVORITES_SHOWN, favoriteApi, favoriteErrors } from '../favorite.contract.ts';

export type Favorites = OutputOf<typeof favoriteApi.list>;

/** What others see of somebody's favorites, or of one of their folders. */
export function FavoriteList({
  of,
  page,
  rendered,
  hrefOf,
}: {
  of: { user_id?: number; folder_id?: number };
  page: number;
  /** As the server drew it for a visitor. */
  rendered?: Favorites;
  hrefOf: (page: number) => string;
}) {
  const viewer = useUser()?.id ?? 0;
  const input = { ...of, page, size: FAVORITES_SHOWN };
  const favorites = useFetch({
    queryKey: [...keyOf(favoriteApi.list, input), viewer],
    queryFn: ({ signal }) => call(favoriteApi.list, input, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: viewer === 0 ? 10_000 : 0,
    retry: (times, error) => times < 2 && !favoriteErrors.hidden.is(error),
  });
  if (favoriteErrors.hidden.is(favorites.error))
    return <Empty picture={<EmptyShelf />} title={favorites.error.message} />;
  if (!favorites.data) return <ListState found={favorites} shape={<DocumentListSkeleton density="row" />} />;
  const { favorite, total } = favorites.data;
  if (favorite.length === 0) return <Empty picture={<EmptyShelf />} title="还没有收藏" />;
  return (
    <>
      <ul aria-label="收藏" className="divide-y divide-line">
        {favorite.map(({ id, document }) => (document ? <DocumentRow key={id} row={document} /> : null))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FAVORITES_SHOWN} hrefOf={hrefOf} />
      </div>
    </>
  );
}

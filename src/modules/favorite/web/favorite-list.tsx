import { useUser } from '#modules/account/web/session-store.ts';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { DocumentListRow } from '#modules/document/web/document-list-row.tsx';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { FAVORITES_PAGE_SIZE, favoriteApi, favoriteErrors } from '../favorite.contract.ts';

export type FavoriteListOutput = OutputOf<typeof favoriteApi.list>;

/** Public favorites of a user or of a folder. */
export function FavoriteList({
  owner,
  page,
  rendered,
  hrefOf,
}: {
  owner: { user_id?: number; folder_id?: number };
  page: number;
  /** Data of the server's HTML, which is rendered for visitors. */
  rendered?: FavoriteListOutput;
  hrefOf: (page: number) => string;
}) {
  const viewer = useUser()?.id ?? 0;
  const input = { ...owner, page, size: FAVORITES_PAGE_SIZE };
  const favorites = useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(favoriteApi.list, input), viewer],
    queryFn: ({ signal }) => callEndpoint(favoriteApi.list, input, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: viewer === 0 ? 10_000 : 0,
    retry: (times, error) => times < 2 && !favoriteErrors.hidden.is(error),
  });
  if (favoriteErrors.hidden.is(favorites.error))
    return <EmptyState picture={<EmptyShelfIllustration />} title={favorites.error.message} />;
  if (!favorites.data) return <ListPlaceholder query={favorites} skeleton={<DocumentListSkeleton density="row" />} />;
  const { favorite, total } = favorites.data;
  if (favorite.length === 0) return <EmptyState picture={<EmptyShelfIllustration />} title="还没有收藏" />;
  return (
    <>
      <ul aria-label="收藏" className="divide-y divide-line">
        {favorite.map(({ id, document }) => (document ? <DocumentListRow key={id} row={document} /> : null))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FAVORITES_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

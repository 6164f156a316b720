import { useUser } from '#modules/account/web/session-store.ts';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { documentApi } from '../document.contract.ts';
import { DocumentList, DocumentListSkeleton } from './document-list.tsx';

export const USER_DOCUMENTS_PAGE_SIZE = 15;
export type DocumentListResult = OutputOf<typeof documentApi.list>;

export const userDocumentsInput = (userId: number, page: number) => ({
  user_id: [userId],
  page,
  size: USER_DOCUMENTS_PAGE_SIZE,
});

/** Cached per viewer, because members see more than visitors; `rendered` is the server-rendered list for a visitor. */
export function UserDocuments({
  userId,
  page,
  rendered,
  hrefOf,
}: {
  userId: number;
  page: number;
  rendered?: DocumentListResult;
  hrefOf: (page: number) => string;
}) {
  const viewer = useUser()?.id ?? 0;
  const input = userDocumentsInput(userId, page);
  const documents = useQueryWithMinimumLoading({
    queryKey: [...queryKeyOf(documentApi.list, input), viewer],
    queryFn: ({ signal }) => callEndpoint(documentApi.list, input, { signal }),
    initialData: viewer === 0 ? rendered : undefined,
    placeholderData: rendered,
    staleTime: viewer === 0 ? 10_000 : 0,
  });
  if (!documents.data) return <ListPlaceholder query={documents} skeleton={<DocumentListSkeleton density="row" />} />;
  const { document, total } = documents.data;
  if (document.length === 0) return <EmptyState picture={<EmptyShelfIllustration />} title="还没有公开的文档" />;
  return (
    <>
      <DocumentList label="文档" density="row" documents={document} />
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={USER_DOCUMENTS_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

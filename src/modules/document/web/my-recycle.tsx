import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime } from '#platform/contract/date-time.ts';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { documentApi } from '../document.contract.ts';
import { type DeletedDocument, recycleApi } from '../recycle.contract.ts';
import { DocumentListRow } from './document-list-row.tsx';
import { USER_DOCUMENTS_PAGE_SIZE, userDocumentsInput } from './user-documents.tsx';

/** Documents that the owner deleted can be restored; those deleted by administrators cannot. */
export function MyRecycle({ userId, page, href }: { userId: number; page: number; href: string }) {
  const query = useQueryPerUser(recycleApi.list, userDocumentsInput(userId, page));
  const hrefOf = (to: number) => `${href}&page=${to}`;
  const isPast = useLastPageRedirect(
    query.data && { total: query.data.total, count: query.data.document.length },
    { page, size: USER_DOCUMENTS_PAGE_SIZE },
    hrefOf,
  );
  if (!query.data || isPast) return <ListPlaceholder query={query} />;
  const { document, total } = query.data;
  if (document.length === 0)
    return (
      <EmptyState picture={<EmptyShelfIllustration />} title="回收站是空的">
        您删除的文档会在这里保留一段时间，期间可以恢复。
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="回收站" className="divide-y divide-line">
        {document.map((row) => (
          <DocumentListRow key={row.id} row={row} linked={false} note={<DeletionNote row={row} />}>
            {row.deleted_user_id === userId ? <RestoreButton row={row} /> : null}
          </DocumentListRow>
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={USER_DOCUMENTS_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function DeletionNote({ row }: { row: DeletedDocument }) {
  const { timezone } = useSettings().system;
  const isDeletedByOwner = row.deleted_user_id === row.user_id;
  return (
    <p className="text-13 text-ink-2">
      {isDeletedByOwner ? '' : '由管理员'}删除于 {formatDateTime(row.deleted_at, timezone)}
    </p>
  );
}

function RestoreButton({ row }: { row: DeletedDocument }) {
  const restore = useAction(recycleApi.restore, {
    success: '恢复成功',
    failure: '恢复失败',
    invalidates: [documentApi.list, recycleApi.list],
    invalidatesAfterFailure: true,
    onDone: () => void refreshUserInBackground(),
  });
  const onClick = () => restore.run({ id: [row.id] });
  return (
    <Button variant="outline" pending={restore.isPending} onClick={onClick} aria-label={`恢复《${row.title}》`}>
      恢复
    </Button>
  );
}

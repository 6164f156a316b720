import { Pencil, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { LinkTabs } from '#platform/web/ui/link-tabs.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import {
  type Document,
  type DocumentVisibility,
  documentApi,
  documentStatus,
  documentVisibilities,
} from '../document.contract.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DocumentListSkeleton } from './document-list.tsx';
import { DocumentListRow } from './document-list-row.tsx';
import { EditDocumentDialog } from './edit-document-dialog.tsx';
import { MyRecycle } from './my-recycle.tsx';
import { useRowsWithLiveProgress } from './use-conversion-progress.ts';
import { USER_DOCUMENTS_PAGE_SIZE, userDocumentsInput } from './user-documents.tsx';

type Props = { userId: number; page: number; href: string };

/** The account's documents with owner actions, and its recycle bin. */
export function MyDocuments({ userId, page, href }: Props) {
  const isRecycleBin = useSearchParams()[0].get('view') === 'recycle';
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <LinkTabs
          label="我的文档"
          views={[
            { to: href, title: '我的文档', isOpen: !isRecycleBin },
            { to: `${href}?view=recycle`, title: '回收站', isOpen: isRecycleBin },
          ]}
        />
        <ButtonLink to="/upload">
          <Upload aria-hidden="true" className="size-4" />
          上传文档
        </ButtonLink>
      </div>
      {isRecycleBin ? (
        <MyRecycle userId={userId} page={page} href={`${href}?view=recycle`} />
      ) : (
        <MyDocumentList userId={userId} page={page} href={href} />
      )}
    </>
  );
}

function MyDocumentList({ userId, page, href }: Props) {
  const query = useQueryPerUser(documentApi.list, userDocumentsInput(userId, page));
  const rows = useRowsWithLiveProgress(query.data?.document ?? []);
  const [editedDocument, setEditedDocument] = useState<Document | null>(null);
  const [documentToDelete, setDocumentToDelete] = useState<Document | null>(null);
  const hrefOf = (to: number) => `${href}?page=${to}`;
  const isPast = useLastPageRedirect(
    query.data && { total: query.data.total, count: rows.length },
    { page, size: USER_DOCUMENTS_PAGE_SIZE },
    hrefOf,
  );
  if (!query.data || isPast) return <ListPlaceholder query={query} skeleton={<DocumentListSkeleton density="row" />} />;
  if (rows.length === 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title="还没有文档"
        action={<ButtonLink to="/upload">上传文档</ButtonLink>}
      >
        上传之后，转换进度和审核结果都会在这里显示。
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="我的文档" className="divide-y divide-line">
        {rows.map((row) => (
          <DocumentListRow key={row.id} row={row} note={<MyDocumentNote row={row} />}>
            <div className="-my-1.5 flex text-ink-2">
              <IconButton label={`编辑《${row.title}》`} onClick={() => setEditedDocument(row)}>
                <Pencil aria-hidden="true" className="size-4.5" />
              </IconButton>
              <IconButton label={`删除《${row.title}》`} onClick={() => setDocumentToDelete(row)}>
                <Trash2 aria-hidden="true" className="size-4.5" />
              </IconButton>
            </div>
          </DocumentListRow>
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={query.data.total} size={USER_DOCUMENTS_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
      {editedDocument ? <EditDocumentDialog document={editedDocument} onClose={() => setEditedDocument(null)} /> : null}
      {documentToDelete ? <DeleteDialog document={documentToDelete} onClose={() => setDocumentToDelete(null)} /> : null}
    </>
  );
}

/** Statuses whose reason is highlighted. */
const statusesWithReason: readonly number[] = [documentStatus.failed, documentStatus.disabled, documentStatus.refused];

/** Categories, visibility and the failure or refusal reason. */
function MyDocumentNote({ row }: { row: Document }) {
  const reason = row.convert_error || row.reject_reason;
  const visibility = documentVisibilities[row.visibility as DocumentVisibility];
  const categoryPath = row.category.map(({ title }) => title).join(' / ');
  return (
    <>
      <p className="text-13 text-ink-2">
        {[categoryPath, row.visibility === 0 ? '' : visibility].filter(Boolean).join(' · ')}
      </p>
      {reason ? (
        <p
          className={`mt-1 flex flex-wrap gap-x-3 text-13 ${statusesWithReason.includes(row.status) ? 'text-amber' : 'text-ink-2'}`}
        >
          {statusesWithReason.includes(row.status) ? '原因：' : ''}
          {reason}
          {row.convert_error ? (
            <Link to={`/document/${row.id}`} className="text-bean underline">
              {row.encryption === 'unlockable' ? '解锁或替换文件' : '替换文件'}
            </Link>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

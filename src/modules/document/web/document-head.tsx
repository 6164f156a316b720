import { Pencil, Settings2, Trash2 } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession, useUser } from '#modules/account/web/session-store.ts';
import { Breadcrumb } from '#modules/category/web/breadcrumb.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { formatSize } from '#platform/contract/file-size.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { toast } from '#platform/web/toast.ts';
import { Button, ButtonLink } from '#platform/web/ui/button.tsx';
import { type Document, documentApi, documentErrors, documentStatus } from '../document.contract.ts';
import { TypeTag } from './type-tag.tsx';

const EditDocumentDialog = lazy(() =>
  import('./edit-document-dialog.tsx').then((module) => ({
    default: module.EditDocumentDialog,
  })),
);
const DeleteDialog = lazy(() =>
  import('./delete-dialog.tsx').then((module) => ({
    default: module.DeleteDialog,
  })),
);

/** Breadcrumb, title, metadata and owner actions. */
export function DocumentHead({
  document,
  onChange,
  children,
}: {
  document: Document;
  onChange: () => void;
  /** Action buttons for readers. */
  children?: ReactNode;
}) {
  return (
    <header>
      <Breadcrumb path={document.category} currentTitle="正文" />
      <div className="mt-1 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h1
          className={`min-w-56 flex-1 font-serif text-22 font-bold text-balance md:text-28 ${latinTextClass(document.title)}`}
        >
          {document.title}
        </h1>
        <div className="flex flex-wrap gap-2">
          {children}
          <OwnerActions document={document} onChange={onChange} />
        </div>
      </div>
      <Metadata document={document} />
    </header>
  );
}

function Metadata({ document }: { document: Document }) {
  const { display, system } = useSettings();
  const { ext, pages, size, view_count, download_count, created_at, price } = document;
  const { score, score_count, comment_count } = document;
  const items = [
    ...(pages > 0 ? [`${pages} 页`] : []),
    formatSize(size),
    ...(display.show_document_view_count ? [`${view_count} 次阅读`] : []),
    ...(display.show_document_download_count ? [`${download_count} 次下载`] : []),
    ...(score_count > 0 ? [`${(score / 100).toFixed(1)} 分`] : []),
    ...(comment_count > 0 ? [`${comment_count} 条评论`] : []),
    formatDate(created_at),
  ];
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-13 text-ink-2">
      <TypeTag extension={ext} />
      {document.recommend_at ? (
        <span className="rounded-sm bg-bean-soft px-2 py-0.5 font-medium text-bean">推荐</span>
      ) : null}
      <Link to={`/user/${document.user_id}`} className="font-medium text-ink hover:text-bean">
        {document.username}
      </Link>
      {items.map((item) => (
        <span key={item} className="tabular-nums">
          {item}
        </span>
      ))}
      <span className={price > 0 ? 'rounded-sm bg-gold-soft px-2 py-0.5 text-gold' : ''}>
        {price > 0 ? `${price} 个${system.credit_name}` : '免费'}
      </span>
      {document.status === documentStatus.converted ? (
        <Link to={`/document/${document.id}/text`} className="quiet-link py-1 underline">
          文字版
        </Link>
      ) : null}
    </div>
  );
}

const UPDATE_PERMISSION = 'DocumentAPI/UpdateDocument';
const DELETE_PERMISSION = 'DocumentAPI/DeleteDocument';

function OwnerActions({ document, onChange }: { document: Document; onChange: () => void }) {
  const user = useUser();
  const navigate = useNavigate();
  const permissions = useSession((session) => session.permissions);
  const pages = useSession((session) => session.pages);
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const isOwner = user?.id === document.user_id;
  const may = (permission: string) =>
    isOwner || (user !== null && permissions.some(({ path }) => path.endsWith(permission)));
  const canManage = user !== null && pages.includes('/admin/document/list');
  if (!may(UPDATE_PERMISSION) && !may(DELETE_PERMISSION) && !canManage) return null;
  const close = async () => {
    setOpen(null);
    try {
      await callEndpoint(documentApi.get, { id: document.id }, { isExpectedError: documentErrors.notFound.is });
      onChange();
    } catch (error) {
      if (documentErrors.notFound.is(error)) void navigate(isOwner ? `/user/${user.id}/document` : '/');
      else toast.failure(error, '页面没有更新，请刷新');
    }
  };
  return (
    <>
      {may(UPDATE_PERMISSION) ? (
        <Button variant="outline" onClick={() => setOpen('edit')}>
          <Pencil aria-hidden="true" className="size-4" />
          编辑
        </Button>
      ) : null}
      {may(DELETE_PERMISSION) ? (
        <Button variant="danger" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden="true" className="size-4" />
          删除
        </Button>
      ) : null}
      {canManage ? (
        <ButtonLink variant="outline" to={`/admin/document/list?wd=${encodeURIComponent(document.title)}`}>
          <Settings2 aria-hidden="true" className="size-4" />
          管理
        </ButtonLink>
      ) : null}
      <Suspense fallback={null}>
        {open === 'edit' ? <EditDocumentDialog document={document} onClose={() => void close()} /> : null}
        {open === 'delete' ? <DeleteDialog document={document} onClose={() => void close()} /> : null}
      </Suspense>
    </>
  );
}

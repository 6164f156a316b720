import { ArrowDown, ArrowUp, FolderInput, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PrivacySwitch } from '#modules/account/web/privacy-switch.tsx';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { DocumentListRow } from '#modules/document/web/document-list-row.tsx';
import { useLastPageRedirect } from '#platform/web/last-page-redirect.ts';
import { toast } from '#platform/web/toast.ts';
import { Button, ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { EmptyShelfIllustration } from '#platform/web/ui/illustrations.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { FAVORITES_PAGE_SIZE, type FavoriteItem, favoriteApi } from '../favorite.contract.ts';
import { folderApi } from '../folder.contract.ts';
import { FolderForm } from './folder-form.tsx';
import { FolderHead } from './folder-head.tsx';
import { FolderNav } from './folder-nav.tsx';
import { SelectFolderDialog } from './select-folder-dialog.tsx';

const refetchOptions = {
  invalidates: [favoriteApi.list, favoriteApi.get, folderApi.list],
  invalidatesAfterFailure: true,
};

export function MyFavorites({ page, href }: { page: number; href: string }) {
  const folderId = Number(useSearchParams()[0].get('folder')) || 0;
  const folders = useQueryPerUser(folderApi.list, {}).data?.folder ?? [];
  const folder = folders.find(({ id }) => id === folderId);
  const [isNew, setNew] = useState(false);
  const onFolderCreated = () => {
    setNew(false);
    toast.success('文辑已建好');
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <PrivacySwitch name="hide_favorite" label="对他人隐藏我的收藏" />
        <Button variant="outline" onClick={() => setNew(true)}>
          <Plus aria-hidden="true" className="size-4" />
          新建文辑
        </Button>
      </div>
      {folders.length > 0 ? (
        <div className="border-b border-line py-4">
          <FolderNav
            folders={folders}
            folderId={folderId}
            showsVisibility
            hrefOf={(id) => (id > 0 ? `${href}?folder=${id}` : href)}
          />
        </div>
      ) : null}
      {folder ? <FolderHead folder={folder} folders={folders} href={href} /> : null}
      <MyFavoriteList folderId={folderId} page={page} href={href} />
      {isNew ? (
        <Dialog open onClose={() => setNew(false)} title="新建文辑" disablePointerDismissal>
          <FolderForm onDone={onFolderCreated} onCancel={() => setNew(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

function MyFavoriteList({ folderId, page, href }: { folderId: number; page: number; href: string }) {
  const favoritesQuery = useQueryPerUser(favoriteApi.list, {
    ...(folderId > 0 && { folder_id: folderId }),
    page,
    size: FAVORITES_PAGE_SIZE,
  });
  const arrange = useAction(favoriteApi.arrange, refetchOptions);
  const remove = useAction(favoriteApi.remove, {
    ...refetchOptions,
    success: '移除收藏成功',
    onDone: () => void refreshUserInBackground(),
  });
  const [favoriteInDialog, setFavoriteInDialog] = useState<FavoriteItem | null>(null);
  const hrefOf = (to: number) => `${href}?${folderId > 0 ? `folder=${folderId}&` : ''}page=${to}`;
  const isRedirecting = useLastPageRedirect(
    favoritesQuery.data && { total: favoritesQuery.data.total, count: favoritesQuery.data.favorite.length },
    { page, size: FAVORITES_PAGE_SIZE },
    hrefOf,
  );
  if (!favoritesQuery.data || isRedirecting)
    return <ListPlaceholder query={favoritesQuery} skeleton={<DocumentListSkeleton density="row" />} />;
  const { favorite, total } = favoritesQuery.data;
  if (favorite.length === 0)
    return (
      <EmptyState
        picture={<EmptyShelfIllustration />}
        title={folderId > 0 ? '这个文辑里还没有文档' : '还没有收藏'}
        action={<ButtonLink to="/category">去看看文档</ButtonLink>}
      >
        在文档页按“收藏”，它就会出现在这里。
      </EmptyState>
    );
  const positionOf = (at: number) => (page - 1) * FAVORITES_PAGE_SIZE + at + 1;
  return (
    <>
      <ul aria-label="我的收藏" className="divide-y divide-line">
        {favorite.map((item, at) => (
          <MyFavoriteItem
            key={item.id}
            item={item}
            position={folderId > 0 ? { current: positionOf(at), last: total } : null}
            onArrange={(position) => arrange.run({ id: item.id, position })}
            onMove={() => setFavoriteInDialog(item)}
            onRemove={() => remove.run({ id: [item.id] })}
          />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FAVORITES_PAGE_SIZE} hrefOf={hrefOf} />
      </div>
      {favoriteInDialog ? (
        <SelectFolderDialog favorite={favoriteInDialog} onClose={() => setFavoriteInDialog(null)} />
      ) : null}
    </>
  );
}

function MyFavoriteItem({
  item,
  position,
  onArrange,
  onMove,
  onRemove,
}: {
  item: FavoriteItem;
  /** Position within a folder; null outside of folders. */
  position: { current: number; last: number } | null;
  onArrange: (position: number) => void;
  onMove: () => void;
  onRemove: () => void;
}) {
  const name = item.title ? `《${item.title}》` : '这条收藏';
  const actions = (
    <div className="-my-1.5 flex shrink-0 text-ink-2 max-md:flex-col">
      {position ? (
        <>
          <IconButton
            label={`上移${name}`}
            disabled={position.current === 1}
            className="disabled:opacity-40"
            onClick={() => onArrange(position.current - 1)}
          >
            <ArrowUp aria-hidden="true" className="size-4.5" />
          </IconButton>
          <IconButton
            label={`下移${name}`}
            disabled={position.current === position.last}
            className="disabled:opacity-40"
            onClick={() => onArrange(position.current + 1)}
          >
            <ArrowDown aria-hidden="true" className="size-4.5" />
          </IconButton>
        </>
      ) : null}
      <IconButton label={`把${name}放入文辑`} onClick={onMove}>
        <FolderInput aria-hidden="true" className="size-4.5" />
      </IconButton>
      <IconButton label={`移除${name}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" className="size-4.5" />
      </IconButton>
    </div>
  );
  if (item.document) return <DocumentListRow row={item.document}>{actions}</DocumentListRow>;
  return (
    <li className="flex items-center gap-4 py-4">
      <p className="min-w-0 flex-1 text-ink-2">文档已删除或不再公开</p>
      {actions}
    </li>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, FolderInput, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PrivacySwitch } from '#modules/account/web/privacy-switch.tsx';
import { refreshUserInBackground } from '#modules/account/web/session.ts';
import { useAccountQuery } from '#modules/account/web/use-account-query.ts';
import { DocumentListSkeleton } from '#modules/document/web/document-list.tsx';
import { DocumentRow } from '#modules/document/web/document-row.tsx';
import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { useLastPageAt } from '#platform/web/last-page.ts';
import { toast } from '#platform/web/toast.ts';
import { Button, ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { Empty } from '#platform/web/ui/empty.tsx';
import { EmptyShelf } from '#platform/web/ui/illustrations.tsx';
import { ListState } from '#platform/web/ui/list-state.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import { FAVORITES_SHOWN, type FavoriteItem, favoriteApi } from '../favorite.contract.ts';
import { folderApi } from '../folder.contract.ts';
import { FolderDialog } from './folder-dialog.tsx';
import { FolderForm } from './folder-form.tsx';
import { FolderHead } from './folder-head.tsx';
import { FolderNav } from './folder-nav.tsx';

const reread = [favoriteApi.list, favoriteApi.get, folderApi.list];

/** Changes something of the own favorites and has them read anew; says whether it went well. */
function useFavoriteChange() {
  const client = useQueryClient();
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>, success?: string) => {
    try {
      await call(endpoint, input);
      if (success) toast.success(success);
    } catch (error) {
      toast.failure(error, '操作失败');
    }
    for (const each of reread) await client.invalidateQueries({ queryKey: keyOf(each) });
  };
}

/** The own favorites with their folders: made, renamed, opened to others, put in order. */
export function MyFavorites({ page, href }: { page: number; href: string }) {
  const chosen = Number(useSearchParams()[0].get('folder')) || 0;
  const folders = useAccountQuery(folderApi.list, {}).data?.folder ?? [];
  const folder = folders.find(({ id }) => id === chosen);
  const [isNew, setNew] = useState(false);
  const client = useQueryClient();
  const made = async () => {
    setNew(false);
    toast.success('文辑已建好');
    await client.invalidateQueries({ queryKey: keyOf(folderApi.list) });
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
            chosen={chosen}
            marked
            hrefOf={(id) => (id > 0 ? `${href}?folder=${id}` : href)}
          />
        </div>
      ) : null}
      {folder ? <FolderHead folder={folder} folders={folders} href={href} /> : null}
      <OwnList chosen={chosen} page={page} href={href} />
      {isNew ? (
        <Dialog open onClose={() => setNew(false)} title="新建文辑" firm>
          <FolderForm onDone={() => void made()} onCancel={() => setNew(false)} />
        </Dialog>
      ) : null}
    </>
  );
}

function OwnList({ chosen, page, href }: { chosen: number; page: number; href: string }) {
  const found = useAccountQuery(favoriteApi.list, {
    ...(chosen > 0 && { folder_id: chosen }),
    page,
    size: FAVORITES_SHOWN,
  });
  const change = useFavoriteChange();
  const [moving, setMoving] = useState<FavoriteItem | null>(null);
  const hrefOf = (to: number) => `${href}?${chosen > 0 ? `folder=${chosen}&` : ''}page=${to}`;
  const isPast = useLastPageAt(
    found.data && { total: found.data.total, count: found.data.favorite.length },
    { page, size: FAVORITES_SHOWN },
    hrefOf,
  );
  if (!found.data || isPast) return <ListState found={found} shape={<DocumentListSkeleton density="row" />} />;
  const { favorite, total } = found.data;
  if (favorite.length === 0)
    return (
      <Empty
        picture={<EmptyShelf />}
        title={chosen > 0 ? '这个文辑里还没有文档' : '还没有收藏'}
        action={<ButtonLink to="/category">去看看文档</ButtonLink>}
      >
        在文档页按“收藏”，它就会出现在这里。
      </Empty>
    );
  const remove = async ({ id }: FavoriteItem) => {
    await change(favoriteApi.remove, { id: [id] }, '移除收藏成功');
    void refreshUserInBackground();
  };
  const place = (at: number) => (page - 1) * FAVORITES_SHOWN + at + 1;
  return (
    <>
      <ul aria-label="我的收藏" className="divide-y divide-line">
        {favorite.map((item, at) => (
          <OwnItem
            key={item.id}
            item={item}
            place={chosen > 0 ? { at: place(at), of: total } : null}
            onArrange={(position) => change(favoriteApi.arrange, { id: item.id, position })}
            onMove={() => setMoving(item)}
            onRemove={() => remove(item)}
          />
        ))}
      </ul>
      <div className="pt-4 empty:hidden">
        <Pagination page={page} total={total} size={FAVORITES_SHOWN} hrefOf={hrefOf} />
      </div>
      {moving ? <FolderDialog favorite={moving} onClose={() => setMoving(null)} /> : null}
    </>
  );
}

function OwnItem({
  item,
  place,
  onArrange,
  onMove,
  onRemove,
}: {
  item: FavoriteItem;
  /** Within a folder, which has an order of its own. */
  place: { at: number; of: number } | null;
  onArrange: (position: number) => void;
  onMove: () => void;
  onRemove: () => void;
}) {
  const name = item.title ? `《${item.title}》` : '这条收藏';
  const actions = (
    <div className="-my-1.5 flex shrink-0 text-ink-2 max-md:flex-col">
      {place ? (
        <>
          <IconButton
            label={`上移${name}`}
            disabled={place.at === 1}
            className="disabled:opacity-40"
            onClick={() => onArrange(place.at - 1)}
          >
            <ArrowUp aria-hidden="true" className="size-4.5" />
          </IconButton>
          <IconButton
            label={`下移${name}`}
            disabled={place.at === place.of}
            className="disabled:opacity-40"
            onClick={() => onArrange(place.at + 1)}
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
  if (item.document) return <DocumentRow row={item.document}>{actions}</DocumentRow>;
  return (
    <li className="flex items-center gap-4 py-4">
      <p className="min-w-0 flex-1 text-ink-2">文档已删除或不再公开</p>
      {actions}
    </li>
  );
}

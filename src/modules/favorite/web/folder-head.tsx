import { ArrowLeft, ArrowRight, Link2, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { copyToClipboard } from '#platform/web/copy-or-download-text.ts';
import { toast } from '#platform/web/toast.ts';
import { IconButton } from '#platform/web/ui/button.tsx';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { favoriteApi } from '../favorite.contract.ts';
import { type FavoriteFolder, folderApi } from '../folder.contract.ts';
import { FolderForm } from './folder-form.tsx';

const invalidates = [folderApi.list, favoriteApi.list];

/** Title and actions of a folder of the user: move, share, edit, delete. */
export function FolderHead({
  folder,
  folders,
  href,
}: {
  folder: FavoriteFolder;
  folders: FavoriteFolder[];
  href: string;
}) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const remove = useAction(folderApi.remove, {
    success: '文辑已删除',
    failure: '删除失败',
    invalidates,
    invalidatesAfterFailure: true,
    onDone: () => navigate(href, { preventScrollReset: true }),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-4">
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-serif text-18 font-bold">
          <Link to={`/favorite/${folder.id}`} className="hover:text-bean">
            {folder.title}
          </Link>
        </h2>
        <p className="text-14 text-ink-2 empty:hidden">{folder.description}</p>
      </div>
      <div className="flex text-ink-2">
        <MoveButtons folder={folder} folders={folders} />
        {folder.is_public ? <CopyLinkButton folderId={folder.id} /> : null}
        <IconButton label="编辑文辑" onClick={() => setOpen('edit')}>
          <Pencil aria-hidden="true" className="size-4.5" />
        </IconButton>
        <IconButton label="删除文辑" onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden="true" className="size-4.5" />
        </IconButton>
      </div>
      {open === 'edit' ? (
        <Dialog open onClose={() => setOpen(null)} title="编辑文辑" disablePointerDismissal>
          <FolderForm folder={folder} onCancel={() => setOpen(null)} onDone={() => setOpen(null)} />
        </Dialog>
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title="删除文辑"
          action="确定删除"
          onConfirm={() => remove.run({ id: [folder.id] })}
          onClose={() => setOpen(null)}
        >
          <p>您确定要删除文辑“{folder.title}”吗？</p>
          <p className="mt-2 text-14 text-ink-2">其中的收藏会保留，只是不再归入这个文辑。</p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function MoveButtons({ folder, folders }: { folder: FavoriteFolder; folders: FavoriteFolder[] }) {
  const arrange = useAction(folderApi.arrange, { invalidates, invalidatesAfterFailure: true });
  const position = folders.indexOf(folder);
  const move = (to: number) => {
    const order = folders.map(({ id }) => id).filter((id) => id !== folder.id);
    return arrange.run({ id: order.toSpliced(to, 0, folder.id) });
  };
  return (
    <>
      <IconButton
        label="文辑前移"
        disabled={position <= 0}
        className="disabled:opacity-40"
        onClick={() => move(position - 1)}
      >
        <ArrowLeft aria-hidden="true" className="size-4.5" />
      </IconButton>
      <IconButton
        label="文辑后移"
        disabled={position === folders.length - 1}
        className="disabled:opacity-40"
        onClick={() => move(position + 1)}
      >
        <ArrowRight aria-hidden="true" className="size-4.5" />
      </IconButton>
    </>
  );
}

function CopyLinkButton({ folderId }: { folderId: number }) {
  const { address } = useSettings().system;
  const copy = async () => {
    if (await copyToClipboard(`${address || window.location.origin}/favorite/${folderId}`)) toast.success('链接已复制');
    else toast.info('浏览器不允许复制，请打开文辑页后复制地址');
  };
  return (
    <IconButton label="复制文辑链接" onClick={copy}>
      <Link2 aria-hidden="true" className="size-4.5" />
    </IconButton>
  );
}

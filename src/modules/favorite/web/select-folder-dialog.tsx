import { Check, Plus } from 'lucide-react';
import { useState } from 'react';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { favoriteApi } from '../favorite.contract.ts';
import { folderApi } from '../folder.contract.ts';
import { FolderForm } from './folder-form.tsx';
import { FolderVisibility } from './folder-visibility.tsx';

const row =
  'flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left text-15 transition-colors hover:bg-bean-soft hover:text-bean';

/** Selects the folder of a favorite, or creates a new one for it. */
export function SelectFolderDialog({
  favorite,
  onClose,
}: {
  favorite: { id: number; folder_id: number };
  onClose: () => void;
}) {
  const folders = useQueryPerUser(folderApi.list, {});
  const [isNew, setNew] = useState(false);
  const { run: update, isPending } = useAction(favoriteApi.update, {
    success: (_, { folder_id }) => (folder_id > 0 ? '已放入文辑' : '已移出文辑'),
    invalidates: [favoriteApi.get, favoriteApi.list, folderApi.list],
  });
  const moveTo = async (folder_id: number) => {
    if (await update({ id: [favorite.id], folder_id })) onClose();
  };
  if (isNew)
    return (
      <Dialog open onClose={onClose} title="新建文辑" disablePointerDismissal>
        <FolderForm onDone={(folder) => moveTo(folder.id)} onCancel={() => setNew(false)} />
      </Dialog>
    );
  const choices = [
    { id: 0, title: '不放入文辑', is_public: true, favorite_count: -1 },
    ...(folders.data?.folder ?? []),
  ];
  return (
    <Dialog open onClose={onClose} title="放入文辑">
      {folders.data ? (
        <ul aria-label="文辑" aria-busy={isPending}>
          {choices.map(({ id, title, is_public, favorite_count }) => (
            <li key={id}>
              <button
                type="button"
                className={row}
                disabled={isPending}
                aria-pressed={id === favorite.folder_id}
                onClick={() => moveTo(id)}
              >
                <Check
                  aria-hidden="true"
                  className={`size-4.5 shrink-0 text-bean ${id === favorite.folder_id ? '' : 'invisible'}`}
                />
                <span className="min-w-0 flex-1 truncate">{title}</span>
                {id > 0 ? <FolderVisibility isPublic={is_public} /> : null}
                {favorite_count >= 0 ? <span className="text-13 text-ink-2">{favorite_count}</span> : null}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <ListPlaceholder query={folders} rows={3} />
      )}
      <Button variant="outline" className="mt-4 w-full" onClick={() => setNew(true)}>
        <Plus aria-hidden="true" className="size-4" />
        新建文辑
      </Button>
    </Dialog>
  );
}

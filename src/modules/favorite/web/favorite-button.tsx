import { Bookmark, FolderInput } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { refreshUserInBackground, useUser } from '#modules/account/web/session-store.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Button, ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { favoriteApi } from '../favorite.contract.ts';

const SelectFolderDialog = lazy(() =>
  import('./select-folder-dialog.tsx').then((module) => ({ default: module.SelectFolderDialog })),
);

/** Adds or removes a favorite and moves it into a folder. */
export function FavoriteButton({ document }: { document: { id: number; favorite_count: number } }) {
  const user = useUser();
  const loginHref = useLoginHref();
  const { show_document_favorite_count } = useSettings().display;
  const input = { document_id: document.id };
  const { data: favorite } = useQueryPerUser(favoriteApi.get, input);
  const [countChange, setCountChange] = useState(0);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const optionsFor = (success: string, change: 1 | -1) => ({
    success,
    invalidates: [favoriteApi.get, favoriteApi.list],
    invalidatesAfterFailure: true,
    onDone: () => {
      setCountChange(countChange + change);
      void refreshUserInBackground();
    },
  });
  const create = useAction(favoriteApi.create, optionsFor('已收藏', 1));
  const remove = useAction(favoriteApi.remove, optionsFor('已取消收藏', -1));
  const isPending = create.isPending || remove.isPending;
  const count = show_document_favorite_count ? ` ${document.favorite_count + countChange}` : '';
  if (!user)
    return (
      <ButtonLink variant="outline" to={loginHref} rel="nofollow">
        <Bookmark aria-hidden="true" className="size-4" />
        {`收藏${count}`}
      </ButtonLink>
    );
  const isFavorite = (favorite?.id ?? 0) > 0;
  const toggle = () => (isFavorite && favorite ? remove.run({ id: [favorite.id] }) : create.run(input));
  return (
    <div className="flex">
      <Button
        variant="outline"
        aria-pressed={isFavorite}
        pending={isPending}
        disabled={!favorite}
        onClick={toggle}
        className="aria-pressed:border-bean aria-pressed:text-bean"
      >
        {isPending ? null : <Bookmark aria-hidden="true" className={`size-4 ${isFavorite ? 'fill-bean' : ''}`} />}
        {`${isFavorite ? '已收藏' : '收藏'}${count}`}
      </Button>
      {isFavorite ? (
        <IconButton label="放入文辑" className="text-ink-2" onClick={() => setDialogOpen(true)}>
          <FolderInput aria-hidden="true" className="size-4.5" />
        </IconButton>
      ) : null}
      {isDialogOpen && favorite ? (
        <Suspense fallback={null}>
          <SelectFolderDialog favorite={favorite} onClose={() => setDialogOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

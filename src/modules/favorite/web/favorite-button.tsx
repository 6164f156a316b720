import { useQueryClient } from '@tanstack/react-query';
import { Bookmark, FolderInput } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { refreshUserInBackground, useUser } from '#modules/account/web/session.ts';
import { useAccountQuery } from '#modules/account/web/use-account-query.ts';
import { useLoginHref } from '#modules/account/web/use-login-href.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button, ButtonLink, IconButton } from '#platform/web/ui/button.tsx';
import { favoriteApi } from '../favorite.contract.ts';

const FolderDialog = lazy(() => import('./folder-dialog.tsx').then((module) => ({ default: module.FolderDialog })));

/** Notes a document as a favorite, or takes it back; and puts it into a folder. */
export function FavoriteButton({ document }: { document: { id: number; favorite_count: number } }) {
  const user = useUser();
  const loginHref = useLoginHref();
  const client = useQueryClient();
  const { show_document_favorite_count } = useSettings().display;
  const input = { document_id: document.id };
  const { data: own } = useAccountQuery(favoriteApi.get, input);
  const [change, setChange] = useState(0);
  const [pending, setPending] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const count = show_document_favorite_count ? ` ${document.favorite_count + change}` : '';
  if (!user)
    return (
      <ButtonLink variant="outline" to={loginHref} rel="nofollow">
        <Bookmark aria-hidden="true" className="size-4" />
        {`收藏${count}`}
      </ButtonLink>
    );
  const isOn = (own?.id ?? 0) > 0;
  const toggle = async () => {
    setPending(true);
    try {
      if (isOn && own) await call(favoriteApi.remove, { id: [own.id] });
      else await call(favoriteApi.create, input);
      setChange(change + (isOn ? -1 : 1));
      toast.success(isOn ? '已取消收藏' : '已收藏');
      void refreshUserInBackground();
    } catch (error) {
      toast.failure(error, '操作失败');
    }
    for (const endpoint of [favoriteApi.get, favoriteApi.list])
      await client.invalidateQueries({ queryKey: keyOf(endpoint) });
    setPending(false);
  };
  return (
    <div className="flex">
      <Button
        variant="outline"
        aria-pressed={isOn}
        pending={pending}
        disabled={!own}
        onClick={toggle}
        className="aria-pressed:border-bean aria-pressed:text-bean"
      >
        {pending ? null : <Bookmark aria-hidden="true" className={`size-4 ${isOn ? 'fill-bean' : ''}`} />}
        {`${isOn ? '已收藏' : '收藏'}${count}`}
      </Button>
      {isOn ? (
        <IconButton label="放入文辑" className="text-ink-2" onClick={() => setChoosing(true)}>
          <FolderInput aria-hidden="true" className="size-4.5" />
        </IconButton>
      ) : null}
      {choosing && own ? (
        <Suspense fallback={null}>
          <FolderDialog favorite={own} onClose={() => setChoosing(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

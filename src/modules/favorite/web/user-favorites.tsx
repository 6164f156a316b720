import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { query } from '#platform/web/api.ts';
import { folderApi } from '../folder.contract.ts';
import { FavoriteList, type Favorites } from './favorite-list.tsx';
import { FolderNav } from './folder-nav.tsx';

/** What others see on the tab of favorites: the public folders, and what lies in them or in none. */
export function UserFavorites({
  userId,
  page,
  href,
  rendered,
}: {
  userId: number;
  page: number;
  href: string;
  rendered?: Favorites;
}) {
  const chosen = Number(useSearchParams()[0].get('folder')) || 0;
  const { data } = useQuery({ ...query(folderApi.list, { user_id: userId }), retry: false });
  const folders = data?.folder ?? [];
  return (
    <>
      {folders.length > 0 ? (
        <div className="border-b border-line pt-1 pb-4">
          <FolderNav folders={folders} chosen={chosen} hrefOf={(id) => (id > 0 ? `${href}?folder=${id}` : href)} />
        </div>
      ) : null}
      <FavoriteList
        of={chosen > 0 ? { folder_id: chosen } : { user_id: userId }}
        page={page}
        rendered={chosen > 0 ? undefined : rendered}
        hrefOf={(at) => `${href}?${chosen > 0 ? `folder=${chosen}&` : ''}page=${at}`}
      />
    </>
  );
}

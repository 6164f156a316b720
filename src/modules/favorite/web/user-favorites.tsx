import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { endpointQuery } from '#platform/web/api.ts';
import { folderApi } from '../folder.contract.ts';
import { FavoriteList, type FavoriteListOutput } from './favorite-list.tsx';
import { FolderNav } from './folder-nav.tsx';

/** Public folders and favorites of a user. */
export function UserFavorites({
  userId,
  page,
  href,
  rendered,
}: {
  userId: number;
  page: number;
  href: string;
  rendered?: FavoriteListOutput;
}) {
  const folderId = Number(useSearchParams()[0].get('folder')) || 0;
  const { data } = useQuery({ ...endpointQuery(folderApi.list, { user_id: userId }), retry: false });
  const folders = data?.folder ?? [];
  return (
    <>
      {folders.length > 0 ? (
        <div className="border-b border-line pt-1 pb-4">
          <FolderNav folders={folders} folderId={folderId} hrefOf={(id) => (id > 0 ? `${href}?folder=${id}` : href)} />
        </div>
      ) : null}
      <FavoriteList
        owner={folderId > 0 ? { folder_id: folderId } : { user_id: userId }}
        page={page}
        rendered={folderId > 0 ? undefined : rendered}
        hrefOf={(at) => `${href}?${folderId > 0 ? `folder=${folderId}&` : ''}page=${at}`}
      />
    </>
  );
}

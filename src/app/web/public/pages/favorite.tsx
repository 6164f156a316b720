import { data, Link, useLoaderData } from 'react-router';
import { FAVORITES_PAGE_SIZE, favoriteApi } from '#modules/favorite/favorite.contract.ts';
import { folderApi } from '#modules/favorite/folder.contract.ts';
import { FavoriteList, type FavoriteListOutput } from '#modules/favorite/web/favorite-list.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';

type FolderData = {
  folder: OutputOf<typeof folderApi.get>;
  page: number;
  favorites: FavoriteListOutput;
};

const loadFolderPage: PageLoad<FolderData> = async (api, { params: { id = '' }, request }) => {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw data(null, { status: 404 });
  const page = pageNumberOf(request);
  const folder = await api(folderApi.get, { id: Number(id) });
  const input = { folder_id: folder.id, page, size: FAVORITES_PAGE_SIZE };
  return { folder, page, favorites: await api(favoriteApi.list, input) };
};
export const loader = serverLoader(loadFolderPage);
export const clientLoader = browserLoader(loadFolderPage);

/** 文辑: a list of documents that a user has published. */
export default function FolderPage() {
  const { folder, page, favorites } = useLoaderData<FolderData>();
  const { title, description, user } = folder;
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={title}
        keywords={`${title},文辑,${user.username}`}
        description={description || `${user.username}的文辑《${title}》。`}
        hidden={!folder.is_public}
      />
      <header className="card p-6 md:p-8">
        <p className="text-13 text-ink-2">文辑</p>
        <h1 className="mt-1 font-serif text-22 font-bold md:text-28">{title}</h1>
        {description ? <p className="mt-2 max-w-160 text-15 text-ink-2">{description}</p> : null}
        <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-14 text-ink-2">
          <Avatar src={user.avatar} size={28} />
          <Link to={`/user/${user.id}`} className="font-medium text-ink hover:text-bean">
            {user.username}
          </Link>
          <span>{`${favorites.total} 篇文档`}</span>
        </p>
      </header>
      <div className="card mt-6 px-5 py-3 md:px-6">
        <FavoriteList
          owner={{ folder_id: folder.id }}
          page={page}
          rendered={favorites}
          hrefOf={(targetPage) => `/favorite/${folder.id}?page=${targetPage}`}
        />
      </div>
    </main>
  );
}

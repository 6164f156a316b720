import { lazy, type ReactNode, Suspense } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import type { PublicUser } from '#modules/account/web/user-header.tsx';
import { ActivityFeed, type ActivityList } from '#modules/activity/web/activity-feed.tsx';
import { type DocumentListResult, UserDocuments } from '#modules/document/web/user-documents.tsx';
import type { FavoriteListOutput } from '#modules/favorite/web/favorite-list.tsx';
import { UserFavorites } from '#modules/favorite/web/user-favorites.tsx';
import { FollowList, type FollowListOutput } from '#modules/follow/web/follow-list.tsx';
import { useHydrated } from '#platform/web/hydrated.ts';
import { type UserTab, userHref, userTabs } from './user-tabs.tsx';

const MyDocuments = lazy(() =>
  import('#modules/document/web/my-documents.tsx').then((module) => ({
    default: module.MyDocuments,
  })),
);
const MyFavorites = lazy(() =>
  import('#modules/favorite/web/my-favorites.tsx').then((module) => ({
    default: module.MyFavorites,
  })),
);
const MyFollow = lazy(() =>
  import('#modules/follow/web/my-follow.tsx').then((module) => ({ default: module.MyFollow })),
);
const ReadingHistory = lazy(() =>
  import('#modules/reading/web/reading-history.tsx').then((module) => ({
    default: module.ReadingHistory,
  })),
);
const DownloadList = lazy(() =>
  import('#modules/download/web/download-list.tsx').then((module) => ({
    default: module.DownloadList,
  })),
);
const CreditList = lazy(() =>
  import('#modules/credit/web/credit-list.tsx').then((module) => ({ default: module.CreditList })),
);
const AccountSecurity = lazy(() =>
  import('#modules/account/web/account-security.tsx').then((module) => ({
    default: module.AccountSecurity,
  })),
);

/** Data of a tab of a user's page. */
export type UserData = {
  user: PublicUser;
  tab: UserTab;
  page: number;
  feed?: ActivityList;
  documents?: DocumentListResult;
  favorites?: FavoriteListOutput;
  people?: FollowListOutput;
};

/**
 * Renders the open tab; for owners some tabs have more functions. Only lazy components are in a Suspense boundary: the
 * server would send other content in a boundary hidden, and only a script could show it.
 */
export function UserTabContent({ user, tab, page, feed, documents, favorites, people }: UserData) {
  const isMyPage = useUser()?.id === user.id;
  const hrefOf = (targetPage: number) => `${userHref(user.id, tab)}?page=${targetPage}`;
  const isHydrated = useHydrated();
  if (userTabs[tab].isOwnerOnly && !isHydrated) return null;
  switch (tab) {
    case '':
      return (
        <TabCard>
          <ActivityFeed userId={user.id} page={page} rendered={feed} hrefOf={hrefOf} />
        </TabCard>
      );
    case 'document':
      return (
        <TabCard>
          {isMyPage && isHydrated ? (
            <Suspense fallback={null}>
              <MyDocuments userId={user.id} page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <UserDocuments userId={user.id} page={page} rendered={documents} hrefOf={hrefOf} />
          )}
        </TabCard>
      );
    case 'history':
      return (
        <TabCard>
          <Suspense fallback={null}>
            <ReadingHistory page={page} hrefOf={hrefOf} />
          </Suspense>
        </TabCard>
      );
    case 'download':
      return (
        <TabCard>
          <Suspense fallback={null}>
            <DownloadList page={page} hrefOf={hrefOf} />
          </Suspense>
        </TabCard>
      );
    case 'credit':
      return (
        <TabCard>
          <Suspense fallback={null}>
            <CreditList page={page} hrefOf={hrefOf} />
          </Suspense>
        </TabCard>
      );
    case 'security':
      return (
        <Suspense fallback={null}>
          <AccountSecurity />
        </Suspense>
      );
    case 'favorite':
      return (
        <TabCard>
          {isMyPage && isHydrated ? (
            <Suspense fallback={null}>
              <MyFavorites page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <UserFavorites userId={user.id} page={page} href={userHref(user.id, tab)} rendered={favorites} />
          )}
        </TabCard>
      );
    case 'fans':
    case 'follow':
      return (
        <TabCard>
          {tab === 'follow' && isMyPage && isHydrated ? (
            <Suspense fallback={null}>
              <MyFollow userId={user.id} page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <FollowList userId={user.id} type={tab} page={page} rendered={people} hrefOf={hrefOf} />
          )}
        </TabCard>
      );
  }
}

const TabCard = ({ children }: { children: ReactNode }) => <div className="card px-5 py-3 md:px-6">{children}</div>;

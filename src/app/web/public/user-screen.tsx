import { lazy, type ReactNode, Suspense } from 'react';
import { useUser } from '#modules/account/web/session.ts';
import type { PublicUser } from '#modules/account/web/user-header.tsx';
import { ActivityFeed, type ActivityList } from '#modules/activity/web/activity-feed.tsx';
import { type DocumentListResult, UserDocuments } from '#modules/document/web/user-documents.tsx';
import type { FavoriteListOutput } from '#modules/favorite/web/favorite-list.tsx';
import { UserFavorites } from '#modules/favorite/web/user-favorites.tsx';
import { FollowList, type FollowListOutput } from '#modules/follow/web/follow-list.tsx';
import { useHydrated } from '#platform/web/hydrated.ts';
import { type UserTab, userHref, userTabs } from './user-tabs.tsx';

const OwnDocuments = lazy(() =>
  import('#modules/document/web/my-documents.tsx').then((module) => ({
    default: module.MyDocuments,
  })),
);
const OwnFavorites = lazy(() =>
  import('#modules/favorite/web/my-favorites.tsx').then((module) => ({
    default: module.MyFavorites,
  })),
);
const OwnFollow = lazy(() =>
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

/** What a page of somebody's home shows. */
export type UserData = {
  user: PublicUser;
  tab: UserTab;
  page: number;
  feed?: ActivityList;
  shelf?: DocumentListResult;
  favorites?: FavoriteListOutput;
  people?: FollowListOutput;
};

/**
 * The open tab; owners have more to do in some. Only what is loaded later stands in a boundary: the rest
 * would be sent hidden, to be shown by a script that not everybody runs.
 */
export function UserScreen({ user, tab, page, feed, shelf, favorites, people }: UserData) {
  const isOwn = useUser()?.id === user.id;
  const hrefOf = (at: number) => `${userHref(user.id, tab)}?page=${at}`;
  const hydrated = useHydrated();
  if (userTabs[tab].own && !hydrated) return null;
  switch (tab) {
    case '':
      return (
        <Card>
          <ActivityFeed userId={user.id} page={page} rendered={feed} hrefOf={hrefOf} />
        </Card>
      );
    case 'document':
      return (
        <Card>
          {isOwn && hydrated ? (
            <Suspense fallback={null}>
              <OwnDocuments userId={user.id} page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <UserDocuments userId={user.id} page={page} rendered={shelf} hrefOf={hrefOf} />
          )}
        </Card>
      );
    case 'history':
      return (
        <Card>
          <Suspense fallback={null}>
            <ReadingHistory page={page} hrefOf={hrefOf} />
          </Suspense>
        </Card>
      );
    case 'download':
      return (
        <Card>
          <Suspense fallback={null}>
            <DownloadList page={page} hrefOf={hrefOf} />
          </Suspense>
        </Card>
      );
    case 'credit':
      return (
        <Card>
          <Suspense fallback={null}>
            <CreditList page={page} hrefOf={hrefOf} />
          </Suspense>
        </Card>
      );
    case 'security':
      return (
        <Suspense fallback={null}>
          <AccountSecurity />
        </Suspense>
      );
    case 'favorite':
      return (
        <Card>
          {isOwn && hydrated ? (
            <Suspense fallback={null}>
              <OwnFavorites page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <UserFavorites userId={user.id} page={page} href={userHref(user.id, tab)} rendered={favorites} />
          )}
        </Card>
      );
    case 'fans':
    case 'follow':
      return (
        <Card>
          {tab === 'follow' && isOwn && hydrated ? (
            <Suspense fallback={null}>
              <OwnFollow userId={user.id} page={page} href={userHref(user.id, tab)} />
            </Suspense>
          ) : (
            <FollowList userId={user.id} type={tab} page={page} rendered={people} hrefOf={hrefOf} />
          )}
        </Card>
      );
  }
}

const Card = ({ children }: { children: ReactNode }) => <div className="card px-5 py-3 md:px-6">{children}</div>;

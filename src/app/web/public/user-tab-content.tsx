import { type ComponentType, lazy, Suspense } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import type { PublicUser } from '#modules/account/web/user-header.tsx';
import { ActivityFeed, type ActivityList } from '#modules/activity/web/activity-feed.tsx';
import { type DocumentListResult, UserDocuments } from '#modules/document/web/user-documents.tsx';
import type { FavoriteListOutput } from '#modules/favorite/web/favorite-list.tsx';
import { UserFavorites } from '#modules/favorite/web/user-favorites.tsx';
import { FollowList, type FollowListOutput } from '#modules/follow/web/follow-list.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
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
export function UserTabContent(data: UserData) {
  const isHydrated = useHydrated();
  const isMyPage = useUser()?.id === data.user.id;
  const { isOwnerOnly } = userTabs[data.tab];
  if (isOwnerOnly && !isHydrated) return null;
  const OwnerTab = isHydrated && (isMyPage || isOwnerOnly) ? ownerTabs[data.tab] : undefined;
  const content = OwnerTab ? (
    <Suspense fallback={null}>
      <OwnerTab {...paramsOf(data)} />
    </Suspense>
  ) : (
    <PublicTab {...data} />
  );
  // The security settings are several cards.
  return data.tab === 'security' ? content : <div className="card px-5 py-3 md:px-6">{content}</div>;
}

type TabParams = { userId: number; page: number; href: string; hrefOf: (page: number) => string };

function paramsOf({ user, tab, page }: UserData): TabParams {
  const href = userHref(user.id, tab);
  return { userId: user.id, page, href, hrefOf: (targetPage) => `${href}?page=${targetPage}` };
}

/** Tabs that only owners see, or that have more functions for them. */
const ownerTabs: Partial<Record<UserTab, ComponentType<TabParams>>> = {
  document: MyDocuments,
  favorite: MyFavorites,
  follow: MyFollow,
  history: ReadingHistory,
  download: DownloadList,
  credit: CreditList,
  security: AccountSecurity,
};

function PublicTab(data: UserData) {
  const { tab, feed, documents, favorites, people } = data;
  const params = paramsOf(data);
  if (tab === '') return <ActivityFeed {...params} rendered={feed} />;
  if (tab === 'document') return <UserDocuments {...params} rendered={documents} />;
  if (tab === 'favorite') return <UserFavorites {...params} rendered={favorites} />;
  if (tab === 'fans' || tab === 'follow') return <FollowList {...params} type={tab} rendered={people} />;
  return null;
}

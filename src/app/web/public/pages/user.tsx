import { useEffect, useState } from 'react';
import { data, Navigate, useLoaderData } from 'react-router';
import { publicUser, userApi } from '#modules/account/account.contract.ts';
import { openProfileDialog } from '#modules/account/web/profile-dialog-state.ts';
import { profileJsonLd } from '#modules/account/web/profile-json-ld.ts';
import { refreshUserInBackground, useUser } from '#modules/account/web/session-store.ts';
import { type PublicUser, UserHeader } from '#modules/account/web/user-header.tsx';
import { activityApi } from '#modules/activity/activity.contract.ts';
import { FEED_PAGE_SIZE } from '#modules/activity/web/activity-feed.tsx';
import { documentApi } from '#modules/document/document.contract.ts';
import { userDocumentsInput } from '#modules/document/web/user-documents.tsx';
import { FAVORITES_PAGE_SIZE, favoriteApi } from '#modules/favorite/favorite.contract.ts';
import { FOLLOWS_PAGE_SIZE, followApi } from '#modules/follow/follow.contract.ts';
import { FollowButton } from '#modules/follow/web/follow-button.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { browserLoader, type PageLoad, pageNumberOf, serverLoader } from '#platform/web/page-loader.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { useHydrated } from '#platform/web/use-hydrated.ts';
import { type UserData, UserTabContent } from '../user-tab-content.tsx';
import { isUserTab, tabTitle, type UserTab, UserTabs, userHref, userTabs } from '../user-tabs.tsx';

const loadUserPage: PageLoad<UserData> = async (api, { params: { id = '', tab = '' }, request }) => {
  if (!/^[1-9]\d{0,9}$/.test(id) || !isUserTab(tab)) throw data(null, { status: 404 });
  const account = await api(userApi.get, { id: Number(id) });
  // For the logged-in user the API returns private fields, which this page does not use.
  const user = Object.fromEntries(
    Object.keys(publicUser._zod.def.shape).map((key) => [key, account[key as keyof PublicUser]]),
  ) as PublicUser;
  return { user, tab, page: pageNumberOf(request) };
};

const favoritesInput = (user_id: number, page: number) => ({ user_id, page, size: FAVORITES_PAGE_SIZE });
const followListInput = (user_id: number, type: 'fans' | 'follow', page: number) => ({
  user_id,
  type,
  page,
  size: FOLLOWS_PAGE_SIZE,
});
/** Returns undefined if the owner hides the list (403). */
const undefinedIfForbidden = <T,>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if ((error as { status?: unknown } | null)?.status === 403) return undefined;
    throw error;
  });

/** Includes the content of the tab, so that the page is complete without scripts; the browser fetches it itself. */
const loadUserPageWithTab: PageLoad<UserData> = async (api, args) => {
  const userData = await loadUserPage(api, args);
  const { user, tab, page } = userData;
  if (tab === 'document')
    return { ...userData, documents: await api(documentApi.list, userDocumentsInput(user.id, page)) };
  if (tab === 'favorite')
    return {
      ...userData,
      favorites: await undefinedIfForbidden(api(favoriteApi.list, favoritesInput(user.id, page))),
    };
  if (tab === 'fans' || tab === 'follow')
    return {
      ...userData,
      people: await undefinedIfForbidden(api(followApi.list, followListInput(user.id, tab, page))),
    };
  if (tab !== '') return userData;
  const input = { id: user.id, page, size: FEED_PAGE_SIZE };
  return { ...userData, feed: await api(activityApi.list, input) };
};
export const loader = serverLoader(loadUserPageWithTab);
export const clientLoader = browserLoader(loadUserPage);

export default function UserHome() {
  const userData = useLoaderData<UserData>();
  const { user, tab } = userData;
  const { credit_name } = useSettings().system;
  const viewer = useUser();
  const isHydrated = useHydrated();
  const isOwner = viewer?.id === user.id;
  // Fans gained since the page was loaded; reset when the loader returns new data.
  const [fansSinceLoad, setFansSinceLoad] = useState({ user, fans: 0 });
  const newFans = fansSinceLoad.user === user ? fansSinceLoad.fans : 0;
  const isHome = tab === '';
  const title = `${user.username}的${isHome ? '个人主页' : tabTitle(tab, credit_name)}`;
  // Only the browser knows the user.
  if (userTabs[tab].isOwnerOnly && isHydrated && !isOwner) return <RedirectFromOwnerTab id={user.id} tab={tab} />;
  return (
    <main className="page-width pt-6 pb-16">
      <PageHead
        title={title}
        keywords={user.username}
        description={user.signature || `${user.username}分享的文档和最近的动态。`}
        hidden={!isHome}
        image={user.avatar}
        kind="profile"
        feed={`/user/${user.id}`}
        data={(absolute) => [profileJsonLd(user, absolute)]}
      />
      <UserHeader user={isOwner ? viewer : { ...user, fans_count: user.fans_count + newFans }}>
        {isOwner ? (
          <Button variant="outline" onClick={openProfileDialog}>
            个人资料
          </Button>
        ) : (
          <FollowButton
            key={user.id}
            userId={user.id}
            username={user.username}
            onChange={(step) => setFansSinceLoad({ user, fans: newFans + step })}
          />
        )}
      </UserHeader>
      {isOwner ? <RefreshUser key={tab} /> : null}
      <UserTabs id={user.id} tab={tab} isOwner={isOwner} creditName={credit_name} />
      <div className="mt-6">
        <UserTabContent {...userData} />
      </div>
    </main>
  );
}

/** The stored account may be outdated, so each tab fetches it again. */
function RefreshUser() {
  useEffect(() => void refreshUserInBackground(), []);
  return null;
}

/** Redirects visitors to the login, and other users to the public tab. */
function RedirectFromOwnerTab({ id, tab }: { id: number; tab: UserTab }) {
  const isVisitor = useUser() === null;
  const encodedHref = encodeURIComponent(userHref(id, tab));
  return <Navigate to={isVisitor ? `/login?redirect=${encodedHref}` : userHref(id)} replace />;
}

import { useEffect, useState } from 'react';
import { data, Navigate, useLoaderData } from 'react-router';
import { publicUser, userApi } from '#modules/account/account.contract.ts';
import { openProfileDialog } from '#modules/account/web/profile-dialog-state.ts';
import { profileJsonLd } from '#modules/account/web/profile-json-ld.ts';
import { refreshUserInBackground, useUser } from '#modules/account/web/session.ts';
import { type PublicUser, UserHeader } from '#modules/account/web/user-header.tsx';
import { activityApi } from '#modules/activity/activity.contract.ts';
import { FEED_PAGE_SIZE } from '#modules/activity/web/activity-feed.tsx';
import { documentApi } from '#modules/document/document.contract.ts';
import { userDocumentsInput } from '#modules/document/web/user-documents.tsx';
import { FAVORITES_SHOWN, favoriteApi } from '#modules/favorite/favorite.contract.ts';
import { followApi, PEOPLE_SHOWN } from '#modules/follow/follow.contract.ts';
import { FollowButton } from '#modules/follow/web/follow-button.tsx';
import { PageHead } from '#modules/settings/web/page-head.tsx';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { useHydrated } from '#platform/web/hydrated.ts';
import { browserLoader, type Load, pageOf, serverLoader } from '#platform/web/loader.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { type UserData, UserScreen } from '../user-screen.tsx';
import { isUserTab, tabTitle, type UserTab, UserTabs, userHref, userTabs } from '../user-tabs.tsx';

const load: Load<UserData> = async (api, { params: { id = '', tab = '' }, request }) => {
  if (!/^[1-9]\d{0,9}$/.test(id) || !isUserTab(tab)) throw data(null, { status: 404 });
  const found = await api(userApi.get, { id: Number(id) });
  // Of the own account the browser is told more than this page shows.
  const user = Object.fromEntries(
    Object.keys(publicUser._zod.def.shape).map((key) => [key, found[key as keyof PublicUser]]),
  ) as PublicUser;
  return { user, tab, page: pageOf(request) };
};

const favoritesOf = (user_id: number, page: number) => ({ user_id, page, size: FAVORITES_SHOWN });
const peopleOf = (user_id: number, type: 'fans' | 'follow', page: number) => ({
  user_id,
  type,
  page,
  size: PEOPLE_SHOWN,
});
/** What its owner hides the page tells in a sentence. */
const unlessHidden = <T,>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if ((error as { status?: unknown } | null)?.status === 403) return undefined;
    throw error;
  });

/** With what a visitor may read, so that the page is whole without scripts; the browser asks for itself. */
const loadWhole: Load<UserData> = async (api, args) => {
  const found = await load(api, args);
  const { user, tab, page } = found;
  if (tab === 'document') return { ...found, shelf: await api(documentApi.list, userDocumentsInput(user.id, page)) };
  if (tab === 'favorite')
    return {
      ...found,
      favorites: await unlessHidden(api(favoriteApi.list, favoritesOf(user.id, page))),
    };
  if (tab === 'fans' || tab === 'follow')
    return {
      ...found,
      people: await unlessHidden(api(followApi.list, peopleOf(user.id, tab, page))),
    };
  if (tab !== '') return found;
  const input = { id: user.id, page, size: FEED_PAGE_SIZE };
  return { ...found, feed: await api(activityApi.list, input) };
};
export const loader = serverLoader(loadWhole);
export const clientLoader = browserLoader(load);

export default function UserHome() {
  const found = useLoaderData<UserData>();
  const { user, tab } = found;
  const { credit_name } = useSettings().system;
  const viewer = useUser();
  const hydrated = useHydrated();
  const own = viewer?.id === user.id;
  // Since the page was loaded; another look at it counts anew.
  const [since, setSince] = useState({ user, fans: 0 });
  const newFans = since.user === user ? since.fans : 0;
  const isHome = tab === '';
  const title = `${user.username}的${isHome ? '个人主页' : tabTitle(tab, credit_name)}`;
  // Only the browser knows who is looking.
  if (userTabs[tab].own && hydrated && !own) return <Elsewhere id={user.id} tab={tab} />;
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
      <UserHeader user={own ? viewer : { ...user, fans_count: user.fans_count + newFans }}>
        {own ? (
          <Button variant="outline" onClick={openProfileDialog}>
            个人资料
          </Button>
        ) : (
          <FollowButton
            key={user.id}
            userId={user.id}
            username={user.username}
            onChange={(step) => setSince({ user, fans: newFans + step })}
          />
        )}
      </UserHeader>
      {own ? <OwnAccount key={tab} /> : null}
      <UserTabs id={user.id} tab={tab} own={own} creditName={credit_name} />
      <div className="mt-6">
        <UserScreen {...found} />
      </div>
    </main>
  );
}

/** What the browser remembers of the account may be old: each screen asks anew. */
function OwnAccount() {
  useEffect(() => void refreshUserInBackground(), []);
  return null;
}

/** Visitors log in first; others see what everybody sees. */
function Elsewhere({ id, tab }: { id: number; tab: UserTab }) {
  const isVisitor = useUser() === null;
  const there = encodeURIComponent(userHref(id, tab));
  return <Navigate to={isVisitor ? `/login?redirect=${there}` : userHref(id)} replace />;
}

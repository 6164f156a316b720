import { useSearchParams } from 'react-router';
import { PrivacySwitch } from '#modules/account/web/privacy-switch.tsx';
import { LinkTabs } from '#platform/web/ui/link-tabs.tsx';
import { FollowFeed } from './follow-feed.tsx';
import { FollowList } from './follow-list.tsx';

/** Users that the user follows, and their recent activities. */
export function MyFollow({ userId, page, href }: { userId: number; page: number; href: string }) {
  const isUserList = useSearchParams()[0].get('view') === 'people';
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <LinkTabs
          label="我的关注"
          views={[
            { to: href, title: '关注动态', isOpen: !isUserList },
            { to: `${href}?view=people`, title: '关注的人', isOpen: isUserList },
          ]}
        />
        <PrivacySwitch name="hide_follow" label="对他人隐藏我的关注" />
      </div>
      {isUserList ? (
        <FollowList userId={userId} type="follow" page={page} hrefOf={(at) => `${href}?view=people&page=${at}`} />
      ) : (
        <FollowFeed page={page} hrefOf={(at) => `${href}?page=${at}`} />
      )}
    </>
  );
}

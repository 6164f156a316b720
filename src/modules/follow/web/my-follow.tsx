import { useSearchParams } from 'react-router';
import { PrivacySwitch } from '#modules/account/web/privacy-switch.tsx';
import { LinkTabs } from '#platform/web/ui/link-tabs.tsx';
import { FollowFeed } from './follow-feed.tsx';
import { PeopleList } from './people-list.tsx';

/** Whom the own account follows, and what they did lately. */
export function MyFollow({ userId, page, href }: { userId: number; page: number; href: string }) {
  const isPeople = useSearchParams()[0].get('view') === 'people';
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <LinkTabs
          label="我的关注"
          views={[
            { to: href, title: '关注动态', isOpen: !isPeople },
            { to: `${href}?view=people`, title: '关注的人', isOpen: isPeople },
          ]}
        />
        <PrivacySwitch name="hide_follow" label="对他人隐藏我的关注" />
      </div>
      {isPeople ? (
        <PeopleList userId={userId} type="follow" page={page} hrefOf={(at) => `${href}?view=people&page=${at}`} />
      ) : (
        <FollowFeed page={page} hrefOf={(at) => `${href}?page=${at}`} />
      )}
    </>
  );
}

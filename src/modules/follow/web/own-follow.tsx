import { Link, useSearchParams } from 'react-router';
import { PrivacySwitch } from '#modules/access/web/privacy-switch.tsx';
import { FollowFeed } from './follow-feed.tsx';
import { PeopleList } from './people-list.tsx';

const tab = 'inline-flex min-h-10 items-center rounded-md px-4 text-14 transition-colors';
const open = 'bg-bean-soft font-medium text-bean';
const shut = 'text-ink-2 hover:text-bean';

/** Whom the own account follows, and what they did lately. */
export function OwnFollow({ userId, page, href }: { userId: number; page: number; href: string }) {
  const isPeople = useSearchParams()[0].get('view') === 'people';
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line pb-3">
        <nav aria-label="我的关注" className="flex gap-1">
          <Link
            to={href}
            preventScrollReset
            aria-current={isPeople ? undefined : 'page'}
            className={`${tab} ${isPeople ? shut : open}`}
          >
            关注动态
          </Link>
          <Link
            to={`${href}?view=people`}
            preventScrollReset
            aria-current={isPeople ? 'page' : undefined}
            className={`${tab} ${isPeople ? open : shut}`}
          >
            关注的人
          </Link>
        </nav>
        <PrivacySwitch name="hide_follow" label="对他人隐藏我的关注" />
      </div>
      {isPeople ? (
        <PeopleList
          userId={userId}
          type="follow"
          page={page}
          hrefOf={(at) => `${href}?view=people&page=${at}`}
        />
      ) : (
        <FollowFeed page={page} hrefOf={(at) => `${href}?page=${at}`} />
      )}
    </>
  );
}

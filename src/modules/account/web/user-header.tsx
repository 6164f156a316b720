import type { ReactNode } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import type { publicUser, User } from '../account.contract.ts';

export type PublicUser = Pick<User, keyof typeof publicUser._zod.def.shape>;

/** Public data of a user; `children` are the controls of the owner. */
export function UserHeader({ user, children }: { user: PublicUser; children?: ReactNode }) {
  const { timezone } = useSettings().system;
  const counts: [string, number][] = [
    ['文档', user.doc_count],
    ['粉丝', user.fans_count],
    ['收藏', user.favorite_count],
    ['关注', user.follow_count],
  ];
  return (
    <header className="card flex flex-col gap-6 p-6 md:flex-row md:items-center md:p-8">
      <div className="flex min-w-0 flex-1 items-center gap-5">
        <Avatar src={user.avatar} size={80} />
        <div className="min-w-0">
          <h1 className="truncate font-serif text-22 font-bold md:text-28">{user.username}</h1>
          <p className="text-14">{user.signature || '暂无个性签名'}</p>
          <p className="mt-0.5 text-13 text-ink-2">注册于 {formatDate(user.created_at, timezone)}</p>
        </div>
      </div>
      <dl className="grid grid-cols-4 gap-2 text-center md:gap-6">
        {counts.map(([label, value]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-13 text-ink-2">{label}</dt>
            <dd className="text-18 font-bold">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </header>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { User } from '#modules/account/account.contract.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';

export type Author = Pick<
  User,
  'id' | 'username' | 'avatar' | 'signature' | 'doc_count' | 'fans_count' | 'favorite_count'
>;

export function AuthorCard({
  author,
  className = '',
  children,
}: {
  author: Author;
  className?: string;
  /** Action buttons. */
  children?: ReactNode;
}) {
  const counts: [string, number][] = [
    ['文档', author.doc_count],
    ['粉丝', author.fans_count],
    ['收藏', author.favorite_count],
  ];
  return (
    <section aria-label="分享者" className={`card p-5 ${className}`}>
      <div className="flex items-center gap-4">
        <Avatar src={author.avatar} size={56} />
        <div className="min-w-0">
          <p className="text-13 text-ink-2">分享者</p>
          <Link
            to={`/user/${author.id}`}
            className="block truncate rounded-sm font-medium transition-colors hover:text-bean"
          >
            {author.username}
          </Link>
        </div>
      </div>
      <p className="mt-3 line-clamp-3 text-14 text-ink-2">{author.signature || '暂无个性签名'}</p>
      <dl className="mt-4 grid grid-cols-3 text-center">
        {counts.map(([label, value]) => (
          <div key={label} className="flex flex-col-reverse">
            <dt className="text-13 text-ink-2">{label}</dt>
            <dd className="font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {children ? <div className="mt-4 empty:hidden">{children}</div> : null}
    </section>
  );
}

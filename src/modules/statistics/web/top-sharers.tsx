import { Link } from 'react-router';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import type { Sharer } from '../statistics.contract.ts';

/** Users who published the most documents in the last seven days; renders nothing without any. */
export function TopSharers({ sharers }: { sharers: Sharer[] }) {
  if (sharers.length === 0) return null;
  return (
    <section aria-labelledby="sharers" className="page-width mt-12">
      <h2 id="sharers" className="mb-4 font-serif text-22 font-bold">
        本周分享达人
      </h2>
      <ol className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-4 lg:grid-cols-5">
        {sharers.map(({ id, username, avatar, signature, doc_count }) => (
          <li key={id} className="card relative flex items-center gap-3 p-4">
            <Avatar src={avatar} size={44} loading="lazy" />
            <div className="min-w-0 flex-1">
              <Link
                to={`/user/${id}`}
                title={signature || undefined}
                className="block truncate rounded-sm font-medium transition-colors after:absolute after:inset-0 after:rounded-md hover:text-bean"
              >
                {username}
              </Link>
              <p className="text-13 text-ink-2 tabular-nums">{doc_count} 篇文档</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

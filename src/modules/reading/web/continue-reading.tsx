import { Link } from 'react-router';
import { useUser } from '#modules/account/web/session-store.ts';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { Cover } from '#modules/document/web/cover.tsx';
import { type HistoryItem, positionApi } from '../position.contract.ts';
import { ReadingProgress } from './reading-progress.tsx';

const MAX_DOCUMENTS = 6;

export const resumeHref = ({ document, page }: Pick<HistoryItem, 'document' | 'page'>) =>
  `/document/${document.id}#p=${page}`;

/** Unfinished documents of the user; renders nothing without any. */
export function ContinueReading({ className = '' }: { className?: string }) {
  const user = useUser();
  const { data } = useQueryPerUser(positionApi.history, { size: MAX_DOCUMENTS, unfinished: true });
  if (!user || !data || data.history.length === 0) return null;
  return (
    <section aria-labelledby="continue-reading" className={className}>
      <div className="mb-4 flex items-baseline justify-between gap-4">
        <h2 id="continue-reading" className="font-serif text-22 font-bold">
          继续阅读
        </h2>
        <Link to={`/user/${user.id}/history`} className="text-14 text-ink-2 transition-colors hover:text-bean">
          阅读历史
        </Link>
      </div>
      <ul className="grid grid-cols-3 gap-x-4 gap-y-6 md:grid-cols-6 md:gap-x-6">
        {data.history.map((item) => (
          <li key={item.document.id}>
            <Link to={resumeHref(item)} className="group block rounded-sm" title={item.document.title}>
              <Cover document={item.document} />
              <span className="mt-2.5 line-clamp-2 text-14 leading-[1.5] transition-colors group-hover:text-bean">
                {item.document.title}
              </span>
              <ReadingProgress percent={item.progress} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/format.ts';
import type { Comment } from '../comment.contract.ts';
import { CommentCount } from './comment-count.ts';

const Comments = lazy(() => import('./comments.tsx').then((module) => ({ default: module.Comments })));

export type FirstComment = Pick<Comment, 'id' | 'content' | 'created_at'> & {
  user: { id: number; username: string };
};

/**
 * What readers say of a document; fetched when somebody comes near, or was led to it. The first ones
 * come with the page, for those who run no scripts.
 */
export function CommentsSection({
  document,
  first = [],
}: {
  document: { id: number; comment_count: number };
  first?: FirstComment[];
}) {
  const section = useRef<HTMLElement>(null);
  const asked = Number(useSearchParams()[0].get('comment')) || 0;
  const [isNear, setNear] = useState(false);
  // Since the document was read; read again, it knows them itself.
  const [since, setSince] = useState({ document, more: 0 });
  const more = since.document === document ? since.more : 0;
  const count = document.comment_count + more;
  const add = useCallback(
    (by: number) =>
      setSince((known) => ({
        document,
        more: (known.document === document ? known.more : 0) + by,
      })),
    [document],
  );
  useEffect(() => {
    if (!section.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        setNear(true);
        observer.disconnect();
      },
      { rootMargin: '600px' },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (asked === 0) return;
    setNear(true);
    section.current?.scrollIntoView();
  }, [asked]);
  return (
    <section ref={section} id="comments" aria-labelledby="comments-title" className="card p-5 md:p-6">
      <h2 id="comments-title" className="font-medium">
        {count > 0 ? `评论（${count}）` : '评论'}
      </h2>
      <div className="min-h-60 pt-3">
        {isNear ? (
          <CommentCount value={add}>
            <Suspense fallback={<First comments={first} />}>
              <Comments documentId={document.id} asked={asked} />
            </Suspense>
          </CommentCount>
        ) : (
          <First comments={first} />
        )}
      </div>
    </section>
  );
}

function First({ comments }: { comments: FirstComment[] }) {
  const { timezone } = useSettings().system;
  return (
    <ul className="divide-y divide-line">
      {comments.map(({ id, user, content, created_at }) => (
        <li key={id} className="py-4">
          <p className="flex gap-3 text-13 text-ink-2">
            <Link to={`/user/${user.id}`} className="quiet-link">
              {user.username}
            </Link>
            <time dateTime={created_at}>{formatDate(created_at, timezone)}</time>
          </p>
          <p className="mt-1 text-15 break-words whitespace-pre-line">{content}</p>
        </li>
      ))}
    </ul>
  );
}

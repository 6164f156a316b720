import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import type { Comment } from '../comment.contract.ts';
import { CommentCount } from './comment-count-context.ts';

const CommentThreads = lazy(() =>
  import('./comment-threads.tsx').then((module) => ({ default: module.CommentThreads })),
);

export type FirstComment = Pick<Comment, 'id' | 'content' | 'created_at'> & {
  user: { id: number; username: string };
};

/**
 * Comments below a document. They load when the reader scrolls near or when the URL refers to a comment. The first
 * ones are in the server's HTML, for clients without JavaScript.
 */
export function CommentsSection({
  document,
  first = [],
}: {
  document: { id: number; comment_count: number };
  first?: FirstComment[];
}) {
  const section = useRef<HTMLElement>(null);
  const linkedCommentId = Number(useSearchParams()[0].get('comment')) || 0;
  const [isNear, setNear] = useState(false);
  // Local changes since the document was loaded; a reloaded document already counts them.
  const [changes, setChanges] = useState({ document, by: 0 });
  const changedBy = changes.document === document ? changes.by : 0;
  const count = document.comment_count + changedBy;
  const add = useCallback(
    (by: number) =>
      setChanges((before) => ({
        document,
        by: (before.document === document ? before.by : 0) + by,
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
    if (linkedCommentId === 0) return;
    setNear(true);
    section.current?.scrollIntoView();
  }, [linkedCommentId]);
  return (
    <section ref={section} id="comments" aria-labelledby="comments-title" className="card p-5 md:p-6">
      <h2 id="comments-title" className="font-medium">
        {count > 0 ? `评论（${count}）` : '评论'}
      </h2>
      <div className="min-h-60 pt-3">
        {isNear ? (
          <CommentCount value={add}>
            <Suspense fallback={<FirstComments comments={first} />}>
              <CommentThreads documentId={document.id} linkedCommentId={linkedCommentId} />
            </Suspense>
          </CommentCount>
        ) : (
          <FirstComments comments={first} />
        )}
      </div>
    </section>
  );
}

function FirstComments({ comments }: { comments: FirstComment[] }) {
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
          <p className={`mt-1 text-15 break-words whitespace-pre-line ${latinTextClass(content)}`}>{content}</p>
        </li>
      ))}
    </ul>
  );
}

import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

const Comments = lazy(() =>
  import('./comments.tsx').then((module) => ({ default: module.Comments })),
);

/** What readers say of a document; fetched when somebody comes near, or was led to it. */
export function CommentsSection({ document }: { document: { id: number; comment_count: number } }) {
  const section = useRef<HTMLElement>(null);
  const asked = Number(useSearchParams()[0].get('comment')) || 0;
  const [isNear, setNear] = useState(false);
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
    <section
      ref={section}
      id="comments"
      aria-labelledby="comments-title"
      className="card p-5 md:p-6"
    >
      <h2 id="comments-title" className="font-medium">
        {document.comment_count > 0 ? `评论（${document.comment_count}）` : '评论'}
      </h2>
      <div className="min-h-60 pt-3">
        {isNear ? (
          <Suspense fallback={null}>
            <Comments documentId={document.id} asked={asked} />
          </Suspense>
        ) : null}
      </div>
    </section>
  );
}

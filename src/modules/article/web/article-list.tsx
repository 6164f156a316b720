import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDate } from '#platform/contract/date-time.ts';
import { EmptyState } from '#platform/web/ui/empty-state.tsx';
import { PageInProgressIllustration } from '#platform/web/ui/illustrations.tsx';
import { Pagination } from '#platform/web/ui/pagination.tsx';
import type { ArticleSummary } from '../article.contract.ts';

export function ArticleList({
  articles,
  total,
  page,
  size,
}: {
  articles: ArticleSummary[];
  total: number;
  page: number;
  size: number;
}) {
  const { timezone } = useSettings().system;
  return (
    <div className="mx-auto max-w-200">
      <h1 className="font-serif text-28 font-bold">本站说明</h1>
      {articles.length === 0 ? (
        <div className="card mt-6">
          <EmptyState picture={<PageInProgressIllustration />} title="还没有单页">
            管理员发布之后会显示在这里。
          </EmptyState>
        </div>
      ) : (
        <ul className="card mt-6 divide-y divide-line overflow-hidden">
          {articles.map(({ id, identifier, title, description, updated_at }) => (
            <li key={id}>
              <Link
                to={`/article/${identifier || id}`}
                className="group flex items-center gap-4 px-5 py-4 -outline-offset-2! transition-colors hover:bg-bean-soft md:px-6"
              >
                <span className="min-w-0 flex-1">
                  <span className="block font-serif text-18 font-bold group-hover:text-bean">{title}</span>
                  {description ? (
                    <span className="mt-0.5 line-clamp-2 block text-14 text-ink-2">{description}</span>
                  ) : null}
                </span>
                <time dateTime={updated_at} className="shrink-0 text-13 text-ink-2 max-md:hidden">
                  {formatDate(updated_at, timezone)}
                </time>
                <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-2" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-8">
        <Pagination
          page={page}
          total={total}
          size={size}
          hrefOf={(to) => (to === 1 ? '/article' : `/article?page=${to}`)}
        />
      </div>
    </div>
  );
}

import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { CategoryItem } from './indexed-categories.ts';

const crumb = 'inline-flex min-h-10 items-center rounded-sm';

/**
 * Home, all documents, then the path of categories. The last item is the current page: `currentTitle`, or else the
 * last category. `siblingMenuOf` renders a menu of siblings beside a category.
 */
export function Breadcrumb({
  path,
  currentTitle,
  siblingMenuOf,
}: {
  path: Pick<CategoryItem, 'id' | 'title'>[];
  currentTitle?: string;
  siblingMenuOf?: (id: number) => ReactNode;
}) {
  const steps = [
    { to: '/', title: '首页' },
    { to: '/category', title: '全部文档' },
    ...path.map(({ id, title }) => ({ to: `/category/${id}`, title, siblingMenu: siblingMenuOf?.(id) })),
    ...(currentTitle ? [{ to: '', title: currentTitle }] : []),
  ];
  return (
    <nav aria-label="当前位置" className="text-14 text-ink-2">
      <ol className="flex flex-wrap items-center gap-1">
        {steps.map(({ to, title, ...step }, index) => (
          <Fragment key={to}>
            {index > 0 ? (
              <li aria-hidden="true">
                <ChevronRight className="size-3.5" />
              </li>
            ) : null}
            <li className="flex items-center">
              {index === steps.length - 1 ? (
                <span aria-current="page" className={`${crumb} text-ink`}>
                  {title}
                </span>
              ) : (
                <Link to={to} className={`${crumb} transition-colors hover:text-bean`}>
                  {title}
                </Link>
              )}
              {'siblingMenu' in step ? step.siblingMenu : null}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  );
}

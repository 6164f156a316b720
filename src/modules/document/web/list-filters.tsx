import { LayoutGrid, List } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { documentFilters, documentSorts, type ListQuery, listHref } from './list-url.ts';

type Props = { path: string; query: ListQuery };

/** Links, so that every choice has a URL and works without scripts. */
function ChoiceLink({ to, isSelected, children }: { to: string; isSelected: boolean; children: ReactNode }) {
  return (
    <Link
      to={to}
      preventScrollReset
      rel="nofollow"
      aria-current={isSelected ? 'true' : undefined}
      className="inline-flex min-h-10 items-center rounded-sm px-3 whitespace-nowrap text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-[current]:bg-bean-soft aria-[current]:font-medium aria-[current]:text-bean md:min-h-8"
    >
      {children}
    </Link>
  );
}

export function ListFilters({ path, query }: Props) {
  return (
    <dl className="grid grid-cols-1 gap-1 text-14 md:gap-1.5">
      {documentFilters.map(({ key, title, choices }) => (
        <div key={key} className="flex items-start gap-2">
          <dt className="flex min-h-10 w-9 shrink-0 items-center text-ink-2 md:min-h-8">{title}</dt>
          <dd className="-my-1 min-w-0 flex-1 overflow-x-auto py-1">
            <ul className="flex gap-1">
              {[{ value: '', title: '不限' }, ...choices].map((choice) => (
                <li key={choice.value}>
                  <ChoiceLink
                    to={listHref(path, { ...query, [key]: choice.value, page: 1 })}
                    isSelected={query[key] === choice.value}
                  >
                    {choice.title}
                  </ChoiceLink>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const views = [
  { view: 'row', label: '列表', Icon: List },
  { view: 'cover', label: '封面', Icon: LayoutGrid },
] as const;

/** Sort order and view mode. */
export function SortAndViewTabs({ path, query }: Props) {
  return (
    <div className="flex items-center gap-2 border-b border-line">
      <nav aria-label="排序" className="min-w-0 flex-1 overflow-x-auto">
        <ul className="flex">
          {Object.entries(documentSorts).map(([sort, { title }]) => (
            <li key={sort}>
              <Link
                to={listHref(path, { ...query, sort: sort as ListQuery['sort'], page: 1 })}
                preventScrollReset
                rel="nofollow"
                aria-current={query.sort === sort ? 'true' : undefined}
                className="flex min-h-11 items-center border-b-2 border-transparent px-3 text-14 whitespace-nowrap text-ink-2 transition-colors hover:text-bean focus-visible:-outline-offset-2 aria-[current]:border-bean aria-[current]:font-medium aria-[current]:text-bean md:px-4"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="显示方式" className="flex shrink-0">
        {views.map(({ view, label, Icon }) => (
          <Link
            key={view}
            to={listHref(path, { ...query, view })}
            preventScrollReset
            rel="nofollow"
            aria-label={label}
            title={label}
            aria-current={query.view === view ? 'true' : undefined}
            className="grid size-10 place-items-center rounded-md text-ink-2 transition-colors hover:text-bean aria-[current]:text-bean"
          >
            <Icon aria-hidden="true" className="size-4.5" />
          </Link>
        ))}
      </nav>
    </div>
  );
}

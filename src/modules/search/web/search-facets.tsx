import { Link } from 'react-router';
import type { SearchFacet } from '../search.contract.ts';
import { countFilters, type SearchQuery, searchFilters, searchHref, withoutFilters } from './search-url.ts';
import type { SearchResult } from './use-search.ts';

type Props = { query: SearchQuery; result: SearchResult; onChoice?: () => void };

/** Links, so that every choice has a URL and works without scripts. */
export function SearchFacets({ query, result, onChoice }: Props) {
  return (
    <div className="text-14">
      {searchFilters.map(({ key, title, agg }) => (
        <Facet
          key={key}
          title={title}
          selected={query[key]}
          values={result[agg]}
          hrefOf={(value) => searchHref({ ...query, [key]: value, page: 1 })}
          onChoice={onChoice}
        />
      ))}
      {countFilters(query) > 0 ? (
        <Link
          to={searchHref(withoutFilters(query))}
          preventScrollReset
          rel="nofollow"
          onClick={onChoice}
          className="mt-2 inline-flex min-h-10 items-center rounded-sm px-2 text-bean hover:underline"
        >
          清除所有筛选
        </Link>
      ) : null}
    </div>
  );
}

const choiceClass =
  'flex min-h-10 items-center justify-between gap-3 rounded-sm px-2 text-ink-2 transition-colors hover:text-bean aria-[current]:bg-bean-soft aria-[current]:font-medium aria-[current]:text-bean lg:min-h-8';
const MAX_VISIBLE_VALUES = 8;

function Facet({
  title,
  selected,
  values,
  hrefOf,
  onChoice,
}: {
  title: string;
  selected: string;
  values: SearchFacet;
  hrefOf: (value: string) => string;
  onChoice?: () => void;
}) {
  // A single value cannot narrow the results, unless it is the selected one.
  if (values.length < 2 && selected === '') return null;
  const renderValue = ({ value, title, count }: SearchFacet[number]) => (
    <li key={value}>
      <Link
        to={hrefOf(value === selected ? '' : value)}
        preventScrollReset
        rel="nofollow"
        aria-current={value === selected ? 'true' : undefined}
        onClick={onChoice}
        className={choiceClass}
      >
        <span className="truncate">{title}</span>
        <span className="text-12 tabular-nums">{count}</span>
      </Link>
    </li>
  );
  const hiddenValues = values.slice(MAX_VISIBLE_VALUES);
  return (
    <section aria-label={title} className="mb-4">
      <h3 className="px-2 pb-1 font-medium">{title}</h3>
      <ul>
        <li>
          <Link
            to={hrefOf('')}
            preventScrollReset
            rel="nofollow"
            aria-current={selected === '' ? 'true' : undefined}
            onClick={onChoice}
            className={choiceClass}
          >
            不限
          </Link>
        </li>
        {values.slice(0, MAX_VISIBLE_VALUES).map(renderValue)}
      </ul>
      {hiddenValues.length > 0 ? (
        <details open={hiddenValues.some(({ value }) => value === selected)}>
          <summary className="flex min-h-10 cursor-pointer items-center rounded-sm px-2 text-13 text-ink-2 hover:text-bean lg:min-h-8">
            更多{title}
          </summary>
          <ul>{hiddenValues.map(renderValue)}</ul>
        </details>
      ) : null}
    </section>
  );
}

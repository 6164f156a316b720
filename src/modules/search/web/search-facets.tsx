import { Link } from 'react-router';
import type { SearchFacet } from '../search.contract.ts';
import { countFilters, type SearchQuery, searchFilters, searchHref, withoutFilters } from './search-query.ts';
import type { SearchResult } from './use-search.ts';

type Props = { query: SearchQuery; found: SearchResult; onChoice?: () => void };

/** Links, so that a choice has an address and needs no script. Another choice begins at the first page. */
export function SearchFacets({ query, found, onChoice }: Props) {
  return (
    <div className="text-14">
      {searchFilters.map(({ key, title, agg }) => (
        <Facet
          key={key}
          title={title}
          chosen={query[key]}
          values={found[agg]}
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

const choice =
  'flex min-h-10 items-center justify-between gap-3 rounded-sm px-2 text-ink-2 transition-colors hover:text-bean aria-[current]:bg-bean-soft aria-[current]:font-medium aria-[current]:text-bean lg:min-h-8';
const FIRST = 8;

function Facet({
  title,
  chosen,
  values,
  hrefOf,
  onChoice,
}: {
  title: string;
  chosen: string;
  values: SearchFacet;
  hrefOf: (value: string) => string;
  onChoice?: () => void;
}) {
  // One value alone divides nothing, unless it is the one that was chosen.
  if (values.length < 2 && chosen === '') return null;
  const one = ({ value, title, count }: SearchFacet[number]) => (
    <li key={value}>
      <Link
        to={hrefOf(value === chosen ? '' : value)}
        preventScrollReset
        rel="nofollow"
        aria-current={value === chosen ? 'true' : undefined}
        onClick={onChoice}
        className={choice}
      >
        <span className="truncate">{title}</span>
        <span className="text-12 tabular-nums">{count}</span>
      </Link>
    </li>
  );
  const rest = values.slice(FIRST);
  return (
    <section aria-label={title} className="mb-4">
      <h3 className="px-2 pb-1 font-medium">{title}</h3>
      <ul>
        <li>
          <Link
            to={hrefOf('')}
            preventScrollReset
            rel="nofollow"
            aria-current={chosen === '' ? 'true' : undefined}
            onClick={onChoice}
            className={choice}
          >
            不限
          </Link>
        </li>
        {values.slice(0, FIRST).map(one)}
      </ul>
      {rest.length > 0 ? (
        <details open={rest.some(({ value }) => value === chosen)}>
          <summary className="flex min-h-10 cursor-pointer items-center rounded-sm px-2 text-13 text-ink-2 hover:text-bean lg:min-h-8">
            更多{title}
          </summary>
          <ul>{rest.map(one)}</ul>
        </details>
      ) : null}
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { endpointQuery } from '#platform/web/api.ts';
import { searchApi } from '../search.contract.ts';
import { searchHref } from './search-url.ts';

export function QueryLinks({ title, queries }: { title: string; queries: string[] }) {
  if (queries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="font-serif text-16 font-bold">{title}</h2>
      <ul className="mt-3 flex flex-wrap gap-2">
        {queries.map((wd) => (
          <li key={wd}>
            <Link
              to={searchHref({ wd })}
              rel="nofollow"
              className="inline-flex min-h-10 items-center rounded-sm bg-sunken px-3 text-13 text-ink-2 transition-colors hover:bg-bean-soft hover:text-bean lg:min-h-8"
            >
              {wd}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PopularQueries() {
  const { data } = useQuery(endpointQuery(searchApi.hot, {}));
  return <QueryLinks title="大家在搜" queries={mergeQueries(data)} />;
}

export const mergeQueries = (queries?: { recommend: string[]; hot: string[] }): string[] => [
  ...new Set([...(queries?.recommend ?? []), ...(queries?.hot ?? [])]),
];

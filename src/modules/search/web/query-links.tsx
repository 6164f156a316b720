import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { query } from '#platform/web/api.ts';
import { searchApi } from '../search.contract.ts';
import { searchHref } from './search-query.ts';

/** Words, each the way to a new search. */
export function WordLinks({ title, words }: { title: string; words: string[] }) {
  if (words.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="font-serif text-16 font-bold">{title}</h2>
      <ul className="mt-3 flex flex-wrap gap-2">
        {words.map((word) => (
          <li key={word}>
            <Link
              to={searchHref({ wd: word })}
              rel="nofollow"
              className="inline-flex min-h-10 items-center rounded-sm bg-sunken px-3 text-13 text-ink-2 transition-colors hover:bg-bean-soft hover:text-bean lg:min-h-8"
            >
              {word}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the house recommends and what people search for these days. */
export function HotWords() {
  const { data } = useQuery(query(searchApi.hot, {}));
  return <WordLinks title="大家在搜" words={hotOf(data)} />;
}

/** Each word once. */
export const hotOf = (words?: { recommend: string[]; hot: string[] }): string[] => [
  ...new Set([...(words?.recommend ?? []), ...(words?.hot ?? [])]),
];

import { Link } from 'react-router';
import type { Document } from '../document.contract.ts';

const MAX_KEYWORDS = 24;

/** Distinct keywords of the documents, most frequent first. */
export function mostFrequentKeywords(documents: Pick<Document, 'keywords'>[]): string[] {
  const words = documents.flatMap(({ keywords }) => keywords.split(/[,，]/).map((word) => word.trim()));
  const counts = Map.groupBy(words.filter(Boolean), (word) => word);
  return [...counts]
    .sort(([, first], [, second]) => second.length - first.length)
    .slice(0, MAX_KEYWORDS)
    .map(([word]) => word);
}

/** Links to searches for the keywords. */
export function KeywordTags({ words }: { words: string[] }) {
  return (
    <section aria-labelledby="list-keywords" className="card p-5">
      <h2 id="list-keywords" className="font-serif text-18 font-bold">
        关键词
      </h2>
      {words.length > 0 ? (
        <ul className="mt-3 flex flex-wrap gap-2">
          {words.map((word) => (
            <li key={word}>
              <Link
                to={`/search?wd=${encodeURIComponent(word)}`}
                rel="nofollow"
                className="inline-flex min-h-8 items-center rounded-sm bg-sunken px-2.5 text-13 text-ink-2 transition-colors hover:bg-bean-soft hover:text-bean"
              >
                {word}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-2 text-14 text-ink-2">暂无相关关键词</p>
      )}
    </section>
  );
}

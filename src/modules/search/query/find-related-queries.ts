import { normalizeForSearch } from '#modules/text/normalize-text.ts';
import type { Query } from './parse-query.ts';

const MAX_RELATED_QUERIES = 10;

/** Keywords of the results that are not part of the query, the most frequent first. */
export function findRelatedQueries(documents: { keywords: string }[], { text, words }: Query): string[] {
  const queryTexts = new Set([text, ...words.map((word) => word.text)]);
  const counts = new Map<string, number>();
  for (const { keywords } of documents)
    for (const word of new Set(splitKeywords(keywords)))
      if (!queryTexts.has(normalizeForSearch(word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_RELATED_QUERIES)
    .map(([word]) => word);
}

export const splitKeywords = (keywords: string): string[] =>
  keywords
    .split(/[,，;；、\n]/)
    .map((word) => word.trim())
    .filter((word) => word.length > 1 && word.length <= 32);

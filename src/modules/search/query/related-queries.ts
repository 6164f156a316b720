import { normalizedText } from '#modules/text/normalize.ts';
import type { Query } from './parse-query.ts';

const SHOWN = 10;

/** Keywords of the results, those that several have first; what was searched for is not among them. */
export function relatedQueries(documents: { keywords: string }[], { text, words }: Query): string[] {
  const known = new Set([text, ...words.map((word) => word.text)]);
  const counts = new Map<string, number>();
  for (const { keywords } of documents)
    for (const word of new Set(keywordsOf(keywords)))
      if (!known.has(normalizedText(word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, SHOWN)
    .map(([word]) => word);
}

export const keywordsOf = (keywords: string): string[] =>
  keywords
    .split(/[,，;；、\n]/)
    .map((word) => word.trim())
    .filter((word) => word.length > 1 && word.length <= 32);

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUser } from '#modules/account/web/session-store.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { searchApi } from '../search.contract.ts';
import { mergeQueries } from './query-links.tsx';
import { searchHref } from './search-url.ts';

export type SuggestionOption = {
  type: 'history' | 'word' | 'title';
  text: string;
  marks: [number, number][];
  to: string;
};

const DEBOUNCE_MS = 120;
const STALE_AFTER_MS = 60_000;
const MAX_PER_TYPE = { history: 8, popular: 8 };

function useDebounced(text: string): string {
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // Clearing the input takes effect immediately.
  return text === '' ? '' : debouncedText;
}

const queryOption = (type: SuggestionOption['type'], text: string): SuggestionOption => ({
  type,
  text,
  marks: [],
  to: searchHref({ wd: text }),
});

/** Suggestions for the typed text; without text, the user's history and popular queries. */
export function useSuggestions(text: string, isOpen: boolean): SuggestionOption[] {
  const viewer = useUser()?.id ?? 0;
  const wd = useDebounced(text.trim());
  const isBlank = wd === '';
  const queryOptions = { staleTime: STALE_AFTER_MS, retry: false };
  const popular = useQuery({
    ...queryOptions,
    queryKey: queryKeyOf(searchApi.hot, {}),
    queryFn: ({ signal }) => callEndpoint(searchApi.hot, {}, { signal }),
    enabled: isOpen && isBlank,
  });
  const history = useQuery({
    queryKey: [...queryKeyOf(searchApi.history, {}), viewer],
    queryFn: ({ signal }) => callEndpoint(searchApi.history, {}, { signal }),
    enabled: isOpen && isBlank && viewer > 0,
    retry: false,
    // Includes the search that was just made.
    staleTime: 0,
  });
  const suggestions = useQuery({
    ...queryOptions,
    queryKey: [...queryKeyOf(searchApi.suggest, { wd }), viewer],
    // The signal cancels the request when the text changes.
    queryFn: ({ signal }) => callEndpoint(searchApi.suggest, { wd }, { signal }),
    enabled: isOpen && !isBlank,
    placeholderData: (before) => before,
  });
  if (!isBlank)
    return (suggestions.data?.suggestion ?? []).map(({ type, text, marks, document_id }) => ({
      type,
      text,
      marks,
      to: document_id > 0 ? `/document/${document_id}` : searchHref({ wd: text }),
    }));
  const myQueries = viewer > 0 ? (history.data?.history ?? []).slice(0, MAX_PER_TYPE.history) : [];
  const popularQueries = mergeQueries(popular.data).filter((word) => !myQueries.includes(word));
  return [
    ...myQueries.map((word) => queryOption('history', word)),
    ...popularQueries.slice(0, MAX_PER_TYPE.popular).map((word) => queryOption('word', word)),
  ];
}

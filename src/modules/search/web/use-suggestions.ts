import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useUser } from '#modules/account/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { searchApi } from '../search.contract.ts';
import { hotOf } from './query-links.tsx';
import { searchHref } from './search-query.ts';

export type Option = {
  type: 'history' | 'word' | 'title';
  text: string;
  marks: [number, number][];
  to: string;
};

const PAUSE_MS = 120;
const FRESH_MS = 60_000;
const MOST = { history: 8, hot: 8 };

/** What is typed, once the hand rests. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // An emptied box needs no pause.
  return text === '' ? '' : rested;
}

const plain = (type: Option['type'], text: string): Option => ({
  type,
  text,
  marks: [],
  to: searchHref({ wd: text }),
});

/** What may be meant by the text; without one what one searched for and what others do. */
export function useSuggestions(text: string, isOpen: boolean): Option[] {
  const viewer = useUser()?.id ?? 0;
  const wd = useRested(text.trim());
  const isBlank = wd === '';
  const shared = { staleTime: FRESH_MS, retry: false };
  const hot = useQuery({
    ...shared,
    queryKey: keyOf(searchApi.hot, {}),
    queryFn: ({ signal }) => call(searchApi.hot, {}, { signal }),
    enabled: isOpen && isBlank,
  });
  const own = useQuery({
    queryKey: [...keyOf(searchApi.history, {}), viewer],
    queryFn: ({ signal }) => call(searchApi.history, {}, { signal }),
    enabled: isOpen && isBlank && viewer > 0,
    retry: false,
    // The search just made is part of it.
    staleTime: 0,
  });
  const typed = useQuery({
    ...shared,
    queryKey: [...keyOf(searchApi.suggest, { wd }), viewer],
    // Whoever types on no longer waits for the answer to what stood there before.
    queryFn: ({ signal }) => call(searchApi.suggest, { wd }, { signal }),
    enabled: isOpen && !isBlank,
    placeholderData: (before) => before,
  });
  if (!isBlank)
    return (typed.data?.suggestion ?? []).map(({ type, text, marks, document_id }) => ({
      type,
      text,
      marks,
      to: document_id > 0 ? `/document/${document_id}` : searchHref({ wd: text }),
    }));
  const mine = viewer > 0 ? (own.data?.history ?? []).slice(0, MOST.history) : [];
  const others = hotOf(hot.data).filter((word) => !mine.includes(word));
  return [
    ...mine.map((word) => plain('history', word)),
    ...others.slice(0, MOST.hot).map((word) => plain('word', word)),
  ];
}

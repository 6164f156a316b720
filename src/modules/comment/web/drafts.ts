import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onClear, persisted } from '#platform/web/storage.ts';

/** The oldest go when there are more. */
const MAX_DRAFTS = 20;

type Drafts = { texts: Record<string, string> };
const useDrafts = create<Drafts>()(persist((): Drafts => ({ texts: {} }), persisted('comment-drafts')));

if (typeof window !== 'undefined') {
  // Tabs share them. A session that ran out leaves them, leaving it does not.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && key !== useDrafts.persist.getOptions().name) return;
    if (newValue === null) useDrafts.setState({ texts: {} });
    else void useDrafts.persist.rehydrate();
  });
  onClear(() => useDrafts.setState({ texts: {} }));
}

/** What somebody has begun to write about something; a reload loses none of it. */
export function useDraft(about: string) {
  const draft = useDrafts(({ texts }) => texts[about] ?? '');
  const setDraft = (text: string) =>
    useDrafts.setState(({ texts: { [about]: _, ...others } }) => {
      const kept = Object.entries(others).slice(1 - MAX_DRAFTS);
      return { texts: Object.fromEntries(text === '' ? kept : [...kept, [about, text]]) };
    });
  return [draft, setDraft] as const;
}

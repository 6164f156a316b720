import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { localStorageOptions, onClearStorage } from '#platform/web/browser-storage.ts';

/** The oldest drafts are deleted beyond this number. */
const MAX_DRAFTS = 20;

type Drafts = { texts: Record<string, string> };
const useDrafts = create<Drafts>()(persist((): Drafts => ({ texts: {} }), localStorageOptions('comment-drafts')));

if (typeof window !== 'undefined') {
  // Tabs share the drafts. A logout clears them, an expired session does not.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && key !== useDrafts.persist.getOptions().name) return;
    if (newValue === null) useDrafts.setState({ texts: {} });
    else void useDrafts.persist.rehydrate();
  });
  onClearStorage(() => useDrafts.setState({ texts: {} }));
}

/** Unsent text under a key, stored in the browser so that it survives a reload. */
export function useDraft(draftKey: string) {
  const draft = useDrafts(({ texts }) => texts[draftKey] ?? '');
  const setDraft = (text: string) =>
    useDrafts.setState(({ texts: { [draftKey]: _, ...otherTexts } }) => {
      const otherDrafts = Object.entries(otherTexts).slice(1 - MAX_DRAFTS);
      return { texts: Object.fromEntries(text === '' ? otherDrafts : [...otherDrafts, [draftKey, text]]) };
    });
  return [draft, setDraft] as const;
}

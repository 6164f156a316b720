import { type RefObject, useEffect } from 'react';
import { goToPage, useReader } from '../reader-store.ts';
import { parsePageHash, pushFollowedLink } from '../use-url-position.ts';

/** Handles links within the document, also to a position in the same section. */
export function useFlowLinks(viewport: RefObject<HTMLElement | null>) {
  const reader = useReader();
  useEffect(() => {
    const element = viewport.current;
    const follow = (event: MouseEvent) => {
      const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#p="]');
      const page = link && parsePageHash(link.hash);
      if (!link || !page) return;
      event.preventDefault();
      pushFollowedLink(reader, link.hash);
      goToPage(reader, page, Number(link.dataset.at ?? 0));
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [viewport, reader]);
}

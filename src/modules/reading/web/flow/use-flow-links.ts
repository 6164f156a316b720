import { type RefObject, useEffect } from 'react';
import { goToPage, useReader } from '../reader-store.ts';
import { pageOfHash, stepInBook } from '../use-address.ts';

/** Links within the book lead to their place, also to one in the section they stand in. */
export function useFlowLinks(desk: RefObject<HTMLElement | null>) {
  const reader = useReader();
  useEffect(() => {
    const element = desk.current;
    const follow = (event: MouseEvent) => {
      const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="#p="]');
      const page = link && pageOfHash(link.hash);
      if (!link || !page) return;
      event.preventDefault();
      stepInBook(reader, link.hash);
      goToPage(reader, page, Number(link.dataset.at ?? 0));
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [desk, reader]);
}

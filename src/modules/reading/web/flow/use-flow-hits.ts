import { type RefObject, useEffect } from 'react';
import { coveredHeight } from '../covered-height.ts';
import { useFind } from '../find.ts';
import { useReader } from '../reader-store.ts';
import { paintHits } from './paint-hits.ts';
import { textHits } from './text-hits.ts';

/** Marks what is looked for in the sections that are there, and brings the one asked for into view. */
export function useFlowHits(
  desk: RefObject<HTMLElement | null>,
  /** Numbers of the sections that are there. */
  shown: string,
  /** Arrives where one was going before. */
  arrive: () => void,
) {
  const { store } = useReader();
  const { needle, active } = useFind();
  useEffect(() => {
    const element = desk.current;
    if (!element || needle === '') return;
    const found = shown.split(',').flatMap((page) => {
      const section = element.querySelector<HTMLElement>(`[data-section="${page}"]`);
      return section ? [{ page: Number(page), ranges: textHits(section, needle) }] : [];
    });
    const here = found.find(({ page }) => page === active?.page)?.ranges;
    const wanted = active && here ? (here[active.index] ?? here.at(-1) ?? null) : null;
    const others = found.flatMap(({ ranges }) => ranges).filter((range) => range !== wanted);
    if (wanted && store.getState().isHitWanted) {
      store.setState({ isHitWanted: false });
      arrive();
      const { top, bottom } = wanted.getBoundingClientRect();
      if (top < coveredHeight() || bottom > window.innerHeight - 96)
        window.scrollBy({ top: top - window.innerHeight / 3 });
    }
    return paintHits(element, { ranges: others, active: wanted });
  }, [desk, store, needle, active, shown, arrive]);
}

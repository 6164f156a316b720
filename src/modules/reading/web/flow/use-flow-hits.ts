import { type RefObject, useEffect } from 'react';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import { useReader } from '../reader-store.ts';
import { useFindState } from '../use-find-in-document.ts';
import { findHitRanges } from './find-hit-ranges.ts';
import { paintHits } from './paint-hits.ts';

/** Highlights hits in the loaded sections and scrolls to the requested one. */
export function useFlowHits(
  viewport: RefObject<HTMLElement | null>,
  /** Page numbers of the loaded sections, comma-separated. */
  loadedPages: string,
  /** Completes a pending jump first. */
  holdPosition: () => void,
) {
  const { store } = useReader();
  const { needle, active } = useFindState();
  useEffect(() => {
    const element = viewport.current;
    if (!element || needle === '') return;
    const sectionHits = loadedPages.split(',').flatMap((page) => {
      const section = element.querySelector<HTMLElement>(`[data-section="${page}"]`);
      return section ? [{ page: Number(page), ranges: findHitRanges(section, needle) }] : [];
    });
    const activeSectionRanges = sectionHits.find(({ page }) => page === active?.page)?.ranges;
    const activeRange =
      active && activeSectionRanges ? (activeSectionRanges[active.index] ?? activeSectionRanges.at(-1) ?? null) : null;
    const otherRanges = sectionHits.flatMap(({ ranges }) => ranges).filter((range) => range !== activeRange);
    if (activeRange && store.getState().hit?.isScrollPending) {
      store.dispatch({ type: 'hitScrolledIntoView' });
      holdPosition();
      const { top, bottom } = activeRange.getBoundingClientRect();
      if (top < fixedBarsHeight() || bottom > window.innerHeight - 96)
        window.scrollBy({ top: top - window.innerHeight / 3 });
    }
    return paintHits(element, { ranges: otherRanges, active: activeRange });
  }, [viewport, store, needle, active, loadedPages, holdPosition]);
}

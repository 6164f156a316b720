import { useEffect } from 'react';
import type { Reader } from './reader-store.ts';

const ENOUGH = 12;
/** Near the top of the page everything is shown. */
const TOP = 160;
/** A finger that let go still moves the page for so long. */
const OWN_MOVE_MS = 2_000;
const moves = ['wheel', 'touchmove'] as const;

/** Bars leave while one reads on and come back when one looks back; a jump to a page is neither. */
export function useBars({ store }: Reader) {
  useEffect(() => {
    let turned = window.scrollY;
    let isDown = false;
    let movedAt = Number.NEGATIVE_INFINITY;
    const onMove = (event: Event) => {
      // Two fingers zoom; that is no reading on.
      if ('touches' in event && (event as TouchEvent).touches.length > 1) return;
      movedAt = performance.now();
    };
    const onScroll = () => {
      const y = window.scrollY;
      const goesDown = y > turned;
      if (goesDown !== isDown) {
        if (Math.abs(y - turned) < ENOUGH) return;
        isDown = goesDown;
      }
      turned = y;
      const isTyping = document.activeElement?.closest('[data-reader-bar] input') != null;
      const isOwnMove = performance.now() - movedAt < OWN_MOVE_MS;
      const areBarsHidden = isDown && y > TOP && isOwnMove && !isTyping;
      if (areBarsHidden !== store.getState().areBarsHidden) store.setState({ areBarsHidden });
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    for (const move of moves) window.addEventListener(move, onMove, { passive: true });
    return () => {
      window.removeEventListener('scroll', onScroll);
      for (const move of moves) window.removeEventListener(move, onMove);
    };
  }, [store]);
}

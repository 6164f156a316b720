import { useEffect } from 'react';
import type { Reader } from './reader-store.ts';

const ENOUGH = 12;
/** Near the top of the page everything is shown. */
const TOP = 160;
/** A finger that let go still moves the page for so long. */
const OWN_MOVE_MS = 2_000;
const moves = ['wheel', 'touchmove'] as const;
/** Two taps within this time zoom. */
const DOUBLE_TAP_MS = 320;
const theirOwn = 'a, button, input, select, [role="menuitem"], [role="dialog"]';

/** A finger on the pages, and on nothing that does something by itself. */
const isOnPages = ({ target }: Event) =>
  target instanceof Element && target.closest('[data-reader]') && !target.closest(theirOwn);

/**
 * Bars leave while one reads on and come back when one looks back, or taps; a jump to a page is
 * neither.
 */
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
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const onClick = (event: PointerEvent) => {
      const isSecond = waiting !== undefined;
      clearTimeout(waiting);
      waiting = undefined;
      if (isSecond || event.pointerType !== 'touch' || !isOnPages(event)) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        // Whoever chose words wants to do something with them.
        if (String(getSelection()) !== '') return;
        store.setState(({ areBarsHidden }) => ({
          areBarsHidden: !areBarsHidden && window.scrollY > TOP,
        }));
      }, DOUBLE_TAP_MS);
    };
    window.addEventListener('click', onClick);
    window.addEventListener('scroll', onScroll, { passive: true });
    for (const move of moves) window.addEventListener(move, onMove, { passive: true });
    return () => {
      clearTimeout(waiting);
      window.removeEventListener('click', onClick);
      window.removeEventListener('scroll', onScroll);
      for (const move of moves) window.removeEventListener(move, onMove);
    };
  }, [store]);
}

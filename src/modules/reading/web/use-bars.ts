import { useEffect } from 'react';
import { DOUBLE_TAP_MS } from './paged/use-gestures.ts';
import type { Reader } from './reader-store.ts';

const ENOUGH = 12;
/** Near the top of the page everything is shown. */
const TOP = 160;
/** A finger that let go still moves the page for so long. */
const OWN_MOVE_MS = 2_000;
const moves = ['wheel', 'touchmove'] as const;
/** A click that comes so soon after a finger is its tap. */
const TAP_MS = 1_000;
const theirOwn = 'a, button, input, select, td, [role="menuitem"], [role="dialog"]';

/** A finger on the pages, and on nothing that does something by itself. */
const isOnPages = ({ target }: Event) => target instanceof Element && !target.closest(theirOwn);

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
    // Whoever chooses something has stopped moving; what the page does then is not theirs.
    const onChoice = () => {
      movedAt = Number.NEGATIVE_INFINITY;
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
    let touchedAt = Number.NEGATIVE_INFINITY;
    let isSecond = false;
    const onTouch = () => {
      touchedAt = performance.now();
      // Two taps zoom.
      isSecond = waiting !== undefined;
      clearTimeout(waiting);
      waiting = undefined;
    };
    const onClick = (event: Event) => {
      const isTap = performance.now() - touchedAt < TAP_MS;
      if (isSecond || !isTap || !isOnPages(event)) return;
      waiting = setTimeout(() => {
        waiting = undefined;
        // Whoever chose words wants to do something with them.
        if (String(getSelection()) !== '') return;
        store.setState(({ areBarsHidden }) => ({
          areBarsHidden: !areBarsHidden && window.scrollY > TOP,
        }));
      }, DOUBLE_TAP_MS);
    };
    // Not the window: some phones tell it of no tap on what is not made for clicking.
    const pages = document.querySelector('[data-reader]');
    pages?.addEventListener('touchstart', onTouch, { passive: true });
    pages?.addEventListener('click', onClick);
    window.addEventListener('click', onChoice, { capture: true });
    window.addEventListener('scroll', onScroll, { passive: true });
    for (const move of moves) window.addEventListener(move, onMove, { passive: true });
    return () => {
      clearTimeout(waiting);
      pages?.removeEventListener('touchstart', onTouch);
      pages?.removeEventListener('click', onClick);
      window.removeEventListener('click', onChoice, { capture: true });
      window.removeEventListener('scroll', onScroll);
      for (const move of moves) window.removeEventListener(move, onMove);
    };
  }, [store]);
}

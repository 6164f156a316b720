import { useEffect } from 'react';
import { DOUBLE_TAP_MS } from './paged/use-gestures.ts';
import type { Reader, ReaderStore } from './reader-store.ts';

const MIN_SCROLL_PX = 12;
/** The bars are always visible near the top of the page. */
const TOP_AREA_PX = 160;
/** Momentum scrolling continues this long after the finger is lifted. */
const USER_SCROLL_MS = 2_000;
const moves = ['wheel', 'touchmove'] as const;
/** A click this soon after a touch is a tap. */
const TAP_MS = 1_000;
const interactiveSelector = 'a, button, input, select, td, [role="menuitem"], [role="dialog"]';

const isOutsideControls = ({ target }: Event) => target instanceof Element && !target.closest(interactiveSelector);

/**
 * Hides the bars while the user scrolls down and shows them on scrolling up or tapping; programmatic jumps do neither.
 */
export function useBarVisibility({ store }: Reader) {
  useEffect(() => hideBarsOnScroll(store), [store]);
  useEffect(() => toggleBarsOnTap(store), [store]);
}

function hideBarsOnScroll(store: ReaderStore): () => void {
  let lastY = window.scrollY;
  let isScrollingDown = false;
  let movedAt = Number.NEGATIVE_INFINITY;
  const onMove = (event: Event) => {
    // Two fingers zoom; that is not scrolling.
    if ('touches' in event && (event as TouchEvent).touches.length > 1) return;
    movedAt = performance.now();
  };
  // Scrolling after a click comes from the page, not from the user.
  const onClick = () => {
    movedAt = Number.NEGATIVE_INFINITY;
  };
  const onScroll = () => {
    const y = window.scrollY;
    const isDownNow = y > lastY;
    if (isDownNow !== isScrollingDown) {
      if (Math.abs(y - lastY) < MIN_SCROLL_PX) return;
      isScrollingDown = isDownNow;
    }
    lastY = y;
    const isTyping = document.activeElement?.closest('[data-reader-bar] input') != null;
    const isUserScroll = performance.now() - movedAt < USER_SCROLL_MS;
    const areBarsHidden = isScrollingDown && y > TOP_AREA_PX && isUserScroll && !isTyping;
    store.dispatch({ type: areBarsHidden ? 'barsHidden' : 'barsShown' });
  };
  window.addEventListener('click', onClick, { capture: true });
  window.addEventListener('scroll', onScroll, { passive: true });
  for (const move of moves) window.addEventListener(move, onMove, { passive: true });
  return () => {
    window.removeEventListener('click', onClick, { capture: true });
    window.removeEventListener('scroll', onScroll);
    for (const move of moves) window.removeEventListener(move, onMove);
  };
}

function toggleBarsOnTap(store: ReaderStore): () => void {
  let tapTimer: ReturnType<typeof setTimeout> | undefined;
  let touchedAt = Number.NEGATIVE_INFINITY;
  let isSecondTap = false;
  const onTouch = () => {
    touchedAt = performance.now();
    // A double tap zooms.
    isSecondTap = tapTimer !== undefined;
    clearTimeout(tapTimer);
    tapTimer = undefined;
  };
  const onClick = (event: Event) => {
    const isTap = performance.now() - touchedAt < TAP_MS;
    if (isSecondTap || !isTap || !isOutsideControls(event)) return;
    tapTimer = setTimeout(() => {
      tapTimer = undefined;
      // The user selected text.
      if (String(getSelection()) !== '') return;
      const isHiding = !store.getState().areBarsHidden && window.scrollY > TOP_AREA_PX;
      store.dispatch({ type: isHiding ? 'barsHidden' : 'barsShown' });
    }, DOUBLE_TAP_MS);
  };
  // Not on the window: some phones do not send taps on non-clickable elements there.
  const pages = document.querySelector('[data-reader]');
  pages?.addEventListener('touchstart', onTouch, { passive: true });
  pages?.addEventListener('click', onClick);
  return () => {
    clearTimeout(tapTimer);
    pages?.removeEventListener('touchstart', onTouch);
    pages?.removeEventListener('click', onClick);
  };
}

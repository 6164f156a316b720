import { useEffect } from 'react';
import { toggleFullScreen } from './full-screen.ts';
import { zoomStep } from './paged/zoom.ts';
import { goToPage, type Reader } from './reader-store.ts';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** On macOS Ctrl moves the text cursor, so shortcuts use Cmd. */
const isMac = typeof navigator !== 'undefined' && navigator.userAgent.includes('Mac OS X');

/** Focus in the reader or nowhere; forms around the reader keep their keys. */
const isInReader = (target: EventTarget | null) =>
  target === document.body || (target instanceof Element && target.closest('[data-reader]'));

/** Keyboard shortcuts. Arrow-key and space scrolling is left to the browser. */
export function useKeyboardShortcuts(reader: Reader) {
  useEffect(() => {
    const { store, view, layout } = reader;
    const turnPages = (by: number) => {
      const { page } = store.getState();
      goToPage(reader, view.current?.pageAtRowDistance?.(page, by) ?? page + by);
    };
    const zoom = (by: 1 | -1) => view.current?.zoomTo?.(zoomStep(store.getState().percent, by));
    const openFind = () => store.dispatch({ type: 'findRequested' });
    const keys = new Map<string, () => void>([
      ['ArrowLeft', () => turnPages(-1)],
      ['ArrowRight', () => turnPages(1)],
      ['Home', () => goToPage(reader, 1)],
      ['End', () => goToPage(reader, layout.readable)],
      ['+', () => zoom(1)],
      ['=', () => zoom(1)],
      ['-', () => zoom(-1)],
      ['0', () => view.current?.zoomTo?.('auto')],
      ['f', toggleFullScreen],
      ['/', openFind],
    ]);
    // Active everywhere: the browser's own search and print do not include pages that are not rendered.
    const chords = new Map([['f', openFind]]);
    if (layout.may_print && layout.view === 'pages')
      chords.set('p', () => store.dispatch({ type: 'dialogOpened', dialog: 'print' }));
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      if (event.defaultPrevented || isComposing) return;
      const isChord = (isMac ? metaKey : ctrlKey) && !event.shiftKey && !altKey;
      const chord = isChord ? chords.get(key.toLowerCase()) : undefined;
      const isOutsideReader = isTyping(event.target) || !isInReader(event.target);
      // Most pages of a long document are not rendered, so the browser would stop at the rendered ones.
      const isDocumentEdge = ctrlKey && !metaKey && !altKey && (key === 'Home' || key === 'End');
      const isBrowserShortcut = !isDocumentEdge && (ctrlKey || metaKey || altKey);
      if (!chord && (isOutsideReader || isBrowserShortcut)) return;
      if (document.querySelector('[role="dialog"][data-open], [role="menu"][data-open]')) return;
      const { panel, zoom: currentZoom } = store.getState();
      if (key === 'Escape' && panel) return store.dispatch({ type: 'panelClosed' });
      const isPageTurn = currentZoom === 'page' && (key === 'PageDown' || key === 'PageUp');
      const action =
        chord ??
        (isPageTurn
          ? () => turnPages(key === 'PageDown' ? 1 : -1)
          : isDocumentEdge && key === 'End'
            ? () => goToPage(reader, layout.readable, 1)
            : keys.get(key));
      if (!action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [reader]);
}

import { useEffect } from 'react';
import { toggleFullScreen } from './full-screen.ts';
import { goToPage, type Reader, zoomStep } from './reader-store.ts';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** There Ctrl moves the cursor in what is typed. */
const isMac = typeof navigator !== 'undefined' && navigator.userAgent.includes('Mac OS X');

/** Within the reader, or nowhere: in comments and forms around it keys are theirs. */
const isReading = (target: EventTarget | null) =>
  target === document.body || (target instanceof Element && target.closest('[data-reader]'));

/** Keys for those who read without a mouse. Scrolling by arrows and space is the browser's. */
export function useKeys(reader: Reader) {
  useEffect(() => {
    const { store, view, layout } = reader;
    const turn = (by: number) => {
      const { page } = store.getState();
      goToPage(reader, view.current?.turn?.(page, by) ?? page + by);
    };
    const zoom = (by: 1 | -1) => view.current?.zoomTo?.(zoomStep(store.getState().percent, by));
    const find = () =>
      store.setState(({ findAsked }) => ({
        panel: 'find',
        areBarsHidden: false,
        findAsked: findAsked + 1,
      }));
    const keys = new Map<string, () => void>([
      ['ArrowLeft', () => turn(-1)],
      ['ArrowRight', () => turn(1)],
      ['Home', () => goToPage(reader, 1)],
      ['End', () => goToPage(reader, layout.readable)],
      ['+', () => zoom(1)],
      ['=', () => zoom(1)],
      ['-', () => zoom(-1)],
      ['0', () => view.current?.zoomTo?.('auto')],
      ['f', toggleFullScreen],
      ['/', find],
    ]);
    // Heard wherever they are pressed: for the browser's own search and print pages far away are not there.
    const chords = new Map([['f', find]]);
    if (layout.may_print && layout.view === 'pages') chords.set('p', () => store.setState({ isPrinted: true }));
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, isComposing } = event;
      if (event.defaultPrevented || isComposing) return;
      const isChord = (isMac ? metaKey : ctrlKey) && !event.shiftKey && !altKey;
      const chord = isChord ? chords.get(key.toLowerCase()) : undefined;
      const isElsewhere = isTyping(event.target) || !isReading(event.target);
      // Of a long document most is not there: the browser would stop at what is.
      const isEdge = ctrlKey && !metaKey && !altKey && (key === 'Home' || key === 'End');
      const isOfOthers = !isEdge && (ctrlKey || metaKey || altKey);
      if (!chord && (isElsewhere || isOfOthers)) return;
      if (document.querySelector('[role="dialog"][data-open], [role="menu"][data-open]')) return;
      const { panel, zoom: shown } = store.getState();
      if (key === 'Escape' && panel) return store.setState({ panel: null });
      const isWholePage = shown === 'page' && (key === 'PageDown' || key === 'PageUp');
      const act =
        chord ??
        (isWholePage
          ? () => turn(key === 'PageDown' ? 1 : -1)
          : isEdge && key === 'End'
            ? () => goToPage(reader, layout.readable, 1)
            : keys.get(key));
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [reader]);
}

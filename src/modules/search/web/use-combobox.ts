import { type RefObject, useEffect, useReducer, useRef } from 'react';

type State = { text: string; isOpen: boolean; at: number };
type Action = { type: 'typed' | 'focused'; text: string } | { type: 'moved'; at: number } | { type: 'closed' };

const initialState: State = { text: '', isOpen: false, at: -1 };

function reduceComboboxState(state: State, action: Action): State {
  if (action.type === 'closed') return { ...state, isOpen: false, at: -1 };
  if (action.type === 'moved') return { ...state, isOpen: true, at: action.at };
  return { text: action.text, isOpen: true, at: -1 };
}

/** Cycles through the options and the input (-1). */
const nextIndex = (at: number, by: number, count: number) => ((at + 1 + by + count + 1) % (count + 1)) - 1;

/**
 * Keyboard handling of an input with a list: arrows move, Enter selects, Escape closes. The focus stays in the input.
 * `count` and `select` refer to the current options.
 */
export function useCombobox(
  frame: RefObject<HTMLElement | null>,
  { count, select }: { count: () => number; select: (at: number) => void },
) {
  const [state, dispatch] = useReducer(reduceComboboxState, initialState);
  const latest = useRef({ state, count, select });
  latest.current = { state, count, select };
  useEffect(() => {
    const root = frame.current;
    const box = root?.querySelector('input');
    if (!root || !box) return;
    const onInput = () => dispatch({ type: 'typed', text: box.value });
    const onFocus = () => dispatch({ type: 'focused', text: box.value });
    const onPress = () => {
      if (!latest.current.state.isOpen) onFocus();
    };
    const onLeave = ({ relatedTarget: to }: FocusEvent) => {
      if (!(to instanceof Node && root.contains(to))) dispatch({ type: 'closed' });
    };
    const onSubmit = () => dispatch({ type: 'closed' });
    const onKey = (event: KeyboardEvent) => {
      const { state, select } = latest.current;
      const count = latest.current.count();
      // During IME composition the keys belong to the input method.
      if (event.isComposing) return;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (!state.isOpen) return onFocus();
        dispatch({ type: 'moved', at: nextIndex(state.at, event.key === 'ArrowDown' ? 1 : -1, count) });
      } else if (event.key === 'Enter' && state.isOpen && state.at >= 0) {
        event.preventDefault();
        dispatch({ type: 'closed' });
        select(state.at);
      } else if (event.key === 'Escape' && state.isOpen && count > 0) {
        // The first Escape only closes the list, not a surrounding dialog, and keeps the text.
        event.preventDefault();
        event.stopPropagation();
        dispatch({ type: 'closed' });
      }
    };
    // This script loads on first focus: the user may have typed already, or have submitted the search.
    const isSubmitted = box.value !== '' && box.value === box.defaultValue;
    if (root.contains(document.activeElement) && !isSubmitted) onFocus();
    box.addEventListener('input', onInput);
    box.addEventListener('focus', onFocus);
    box.addEventListener('pointerdown', onPress);
    box.addEventListener('keydown', onKey);
    root.addEventListener('focusout', onLeave);
    root.addEventListener('submit', onSubmit);
    return () => {
      box.removeEventListener('input', onInput);
      box.removeEventListener('focus', onFocus);
      box.removeEventListener('pointerdown', onPress);
      box.removeEventListener('keydown', onKey);
      root.removeEventListener('focusout', onLeave);
      root.removeEventListener('submit', onSubmit);
    };
  }, [frame]);
  return { ...state, close: () => dispatch({ type: 'closed' }) };
}

import { type RefObject, useEffect, useReducer, useRef } from 'react';

type State = { text: string; isOpen: boolean; at: number };
type Step = { type: 'typed' | 'focused'; text: string } | { type: 'moved'; at: number } | { type: 'closed' };

const closed: State = { text: '', isOpen: false, at: -1 };

function reduce(state: State, step: Step): State {
  if (step.type === 'closed') return { ...state, isOpen: false, at: -1 };
  if (step.type === 'moved') return { ...state, isOpen: true, at: step.at };
  return { text: step.text, isOpen: true, at: -1 };
}

/** From the box to the first or the last option, and over the end back to the box. */
const moved = (at: number, by: number, count: number) => ((at + 1 + by + count + 1) % (count + 1)) - 1;

/**
 * The keys of a box with a list below it: arrows walk, Enter takes, Escape closes. The focus stays in
 * the box. `count` and `take` tell of the options shown just now.
 */
export function useCombobox(
  frame: RefObject<HTMLElement | null>,
  { count, take }: { count: () => number; take: (at: number) => void },
) {
  const [state, step] = useReducer(reduce, closed);
  const now = useRef({ state, count, take });
  now.current = { state, count, take };
  useEffect(() => {
    const root = frame.current;
    const box = root?.querySelector('input');
    if (!root || !box) return;
    const onInput = () => step({ type: 'typed', text: box.value });
    const onFocus = () => step({ type: 'focused', text: box.value });
    const onPress = () => {
      if (!now.current.state.isOpen) onFocus();
    };
    const onLeave = ({ relatedTarget: to }: FocusEvent) => {
      if (!(to instanceof Node && root.contains(to))) step({ type: 'closed' });
    };
    const onSubmit = () => step({ type: 'closed' });
    const onKey = (event: KeyboardEvent) => {
      const { state, take } = now.current;
      const count = now.current.count();
      // While characters are being composed the keys belong to that.
      if (event.isComposing) return;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (!state.isOpen) return onFocus();
        step({ type: 'moved', at: moved(state.at, event.key === 'ArrowDown' ? 1 : -1, count) });
      } else if (event.key === 'Enter' && state.isOpen && state.at >= 0) {
        event.preventDefault();
        step({ type: 'closed' });
        take(state.at);
      } else if (event.key === 'Escape' && state.isOpen && count > 0) {
        // The first Escape closes the list; what is around it and the text stay.
        event.preventDefault();
        event.stopPropagation();
        step({ type: 'closed' });
      }
    };
    // It loaded because somebody came here, perhaps typing already; or has searched meanwhile.
    const isSent = box.value !== '' && box.value === box.defaultValue;
    if (root.contains(document.activeElement) && !isSent) onFocus();
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
  return { ...state, close: () => step({ type: 'closed' }) };
}

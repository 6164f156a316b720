import { Search } from 'lucide-react';
import { type FormEvent, lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';

export const searchWordHref = (word: string) => `/search?wd=${encodeURIComponent(word)}`;

const loadSuggestions = () =>
  import('#modules/search/web/suggestions.tsx').then((module) => ({ default: module.Suggestions }));
const Suggestions = lazy(loadSuggestions);

const VARIANT_CLASSES = {
  bar: 'h-10 rounded-md border-transparent bg-sunken text-14 hover:border-line focus-within:bg-surface [&_button]:w-10',
  hero: 'h-14 rounded-lg border-line bg-surface pl-2 text-16 shadow-float [&_button]:w-16',
};

type Props = {
  variant?: keyof typeof VARIANT_CLASSES;
  placeholder?: string;
  initial?: string;
  onSearch?: () => void;
};

/**
 * Enter or the icon opens the search page and clears the box; an empty term does nothing. The code of the suggestions is
 * loaded when the box is first used.
 */
export function SearchBox({ variant = 'bar', placeholder = '搜索文档...', initial = '', onSearch }: Props) {
  const navigate = useNavigate();
  const id = useId();
  const frame = useRef<HTMLElement>(null);
  const [areSuggestionsLoaded, setSuggestionsLoaded] = useState(false);
  /** Id of the option that the arrow keys selected, empty for none; null while the suggestions are closed. */
  const [active, setActive] = useState<string | null>(null);
  useResetOnNewSearch(frame, initial);
  function clearAndNavigate(to: string) {
    frame.current?.querySelector('form')?.reset();
    onSearch?.();
    void navigate(to);
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const word = String(new FormData(event.currentTarget).get('wd')).trim();
    if (word) clearAndNavigate(searchWordHref(word));
  }
  const isOpen = active !== null;
  return (
    <search ref={frame} className="relative block text-left">
      <form
        action="/search"
        onSubmit={submit}
        className={`flex w-full items-center border text-ink transition-colors focus-within:border-bean focus-within:outline-2 focus-within:outline-bean ${VARIANT_CLASSES[variant]}`}
      >
        <input
          type="search"
          name="wd"
          role="combobox"
          aria-label="搜索文档"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={active || undefined}
          autoComplete="off"
          maxLength={200}
          placeholder={placeholder}
          defaultValue={initial}
          onPointerEnter={loadSuggestions}
          onFocus={() => setSuggestionsLoaded(true)}
          className="h-full min-w-0 flex-1 appearance-none bg-transparent px-3.5 outline-none [&::-webkit-search-cancel-button]:hidden"
        />
        <button
          type="submit"
          aria-label="搜索"
          className="grid h-full shrink-0 place-items-center rounded-md text-ink-2 transition-colors hover:text-bean"
        >
          <Search aria-hidden="true" className={variant === 'hero' ? 'size-5.5' : 'size-4.5'} />
        </button>
      </form>
      {areSuggestionsLoaded ? (
        <Suspense fallback={null}>
          <Suggestions id={id} frame={frame} onActive={setActive} onGo={clearAndNavigate} />
        </Suspense>
      ) : null}
    </search>
  );
}

/** Keeps text that was typed before hydration; a new search replaces it. */
function useResetOnNewSearch(frame: RefObject<HTMLElement | null>, initial: string) {
  const lastInitial = useRef(initial);
  useEffect(() => {
    if (lastInitial.current === initial) return;
    lastInitial.current = initial;
    frame.current?.querySelector('form')?.reset();
  }, [frame, initial]);
}

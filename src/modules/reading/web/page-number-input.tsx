import { useRef, useState } from 'react';
import { goToPage, useReader, useReaderState } from './reader-store.ts';

/** Shows the current page and accepts another page number. */
export function PageNumberInput() {
  const reader = useReader();
  const page = useReaderState((state) => state.page);
  const [input, setInput] = useState<string | null>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const { pages, readable } = reader.layout;
  const submit = () => {
    const requestedPage = Number(input);
    setInput(null);
    if (input && Number.isInteger(requestedPage) && requestedPage > 0) goToPage(reader, requestedPage);
  };
  return (
    <form
      className="flex shrink-0 items-center gap-1 text-13 text-ink-2 tabular-nums"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
        // Returns to reading and closes the keyboard of a phone.
        inputRef.current?.blur();
      }}
    >
      <input
        ref={inputRef}
        aria-label={`页码，共 ${pages} 页，可读 ${readable} 页`}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        maxLength={7}
        value={input ?? String(page)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setInput(event.target.value.replace(/\D/g, ''))}
        onBlur={() => setInput(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
        style={{ width: `${Math.max(2, String(pages).length) + 2}ch` }}
        className="h-8 rounded-sm border border-line bg-paper text-center text-14 text-ink transition-colors hover:border-line-strong focus:border-bean"
      />
      <span>/ {pages}</span>
    </form>
  );
}

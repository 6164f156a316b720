import { useRef, useState } from 'react';
import { goToPage, useReader, useReaderState } from './reader-store.ts';

/** The page being read, and where to type another. */
export function PageBox() {
  const reader = useReader();
  const page = useReaderState((state) => state.page);
  const [typed, setTyped] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const { pages, readable } = reader.layout;
  const go = () => {
    const wanted = Number(typed);
    setTyped(null);
    if (typed && Number.isInteger(wanted) && wanted > 0) goToPage(reader, wanted);
  };
  return (
    <form
      className="flex shrink-0 items-center gap-1 text-13 text-ink-2 tabular-nums"
      onSubmit={(event) => {
        event.preventDefault();
        go();
        // Back to reading; a phone takes its keyboard away.
        box.current?.blur();
      }}
    >
      <input
        ref={box}
        aria-label={`页码，共 ${pages} 页，可读 ${readable} 页`}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        maxLength={7}
        value={typed ?? String(page)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
        onBlur={() => setTyped(null)}
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

import { Fragment } from 'react';

type Span = { start: number; end: number };

/** A text with some of its parts standing out; they follow one another. */
export function MarkedText({ text, spans, className }: { text: string; spans: readonly Span[]; className: string }) {
  return (
    <>
      {spans.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(spans[index - 1]?.end ?? 0, start)}
          <mark className={className}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(spans.at(-1)?.end ?? 0)}
    </>
  );
}

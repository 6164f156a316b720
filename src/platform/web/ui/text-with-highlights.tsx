import { Fragment } from 'react';

type Span = { start: number; end: number };

/** Text with highlighted spans, which must be sorted and must not overlap. */
export function TextWithHighlights({
  text,
  spans,
  className,
}: {
  text: string;
  spans: readonly Span[];
  className: string;
}) {
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

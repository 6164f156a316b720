import { Fragment } from 'react';

type HighlightSpan = { start: number; end: number };

/** Text with highlighted spans, which must be sorted and must not overlap. */
export function TextWithHighlights({
  text,
  spans,
  className,
}: {
  text: string;
  spans: readonly HighlightSpan[];
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

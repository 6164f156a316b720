import { Fragment } from 'react';
import { isLatinText } from '#platform/contract/is-latin-text.ts';
import { findLatinQuotes } from '#platform/contract/latin-quotes.ts';

/** A Chinese text in which the quotes of Latin words are not full-width. In a Latin text the font of the whole text is Latin. */
export function TextWithLatinQuotes({ text }: { text: string }) {
  if (isLatinText(text)) return text;
  const positions = [...findLatinQuotes(text)].sort((a, b) => a - b);
  const starts = [0, ...positions.map((position) => position + 1)];
  return starts.map((start, index) => {
    const position = positions[index];
    return position === undefined ? (
      text.slice(start)
    ) : (
      <Fragment key={start}>
        {text.slice(start, position)}
        <span className="latin-text">{text.charAt(position)}</span>
      </Fragment>
    );
  });
}

import { splitAtLatinQuotes } from '#platform/contract/latin-quotes.ts';

/** A text whose quotes of Latin words are not full-width, also between Chinese words. */
export const TextWithLatinQuotes = ({ text }: { text: string }) =>
  [...splitAtLatinQuotes(text).entries()].map(([index, part]) =>
    part.isLatinQuote ? (
      <span key={index} className="latin-text">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );

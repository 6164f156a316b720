import { isLatinText } from '#platform/contract/is-latin-text.ts';
import { splitAtLatinQuotes } from '#platform/contract/latin-quotes.ts';

const INLINE_TAG = '</?(?:a|b|strong|i|em|u|s|sub|sup|small|span|code|ruby|rt|rp|br|img)\\b[^>]*>';
/** A block of text without blocks inside. */
const TEXT_BLOCK = new RegExp(
  `<(p|h[1-6]|li|dt|dd|blockquote|caption|figcaption)((?: [^>]*)?)>([^<]*(?:${INLINE_TAG}[^<]*)*)</\\1>`,
  'g',
);

const withLatinClass = (attributes: string) =>
  attributes.includes(' class="')
    ? attributes.replace(/ class="([^"]*)"/, ' class="$1 latin-text"')
    : `${attributes} class="latin-text"`;

const TEXT_BETWEEN_TAGS = /(?<=^|>)[^<]+/g;

const markLatinQuotes = (content: string): string =>
  content.replace(TEXT_BETWEEN_TAGS, (text) =>
    splitAtLatinQuotes(text)
      .map((part) => (part.isLatinQuote ? `<span class="latin-text">${part.text}</span>` : part.text))
      .join(''),
  );

/**
 * Adds the class to each heading, paragraph and list item that is mostly written in Latin letters, and to the quotes of
 * Latin words in the others.
 */
export const markLatinBlocks = (html: string): string =>
  html.replace(TEXT_BLOCK, (_, tag: string, attributes: string, content: string) =>
    isLatinText(content.replace(/<[^>]*>/g, ''))
      ? `<${tag}${withLatinClass(attributes)}>${content}</${tag}>`
      : `<${tag}${attributes}>${markLatinQuotes(content)}</${tag}>`,
  );

import { isLatinText } from '#platform/contract/is-latin-text.ts';
import { findLatinQuotes } from '#platform/contract/latin-quotes.ts';

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

const TAG = /(<[^>]*>)/;

/** Classifies quotes by the text without tags, because inline tags may separate them from the words beside them. */
function markLatinQuotes(content: string): string {
  const parts = content.split(TAG);
  const positions = findLatinQuotes(parts.filter((part) => !TAG.test(part)).join(''));
  if (positions.size === 0) return content;
  let position = 0;
  const markCharacter = (character: string) =>
    positions.has(position++) ? `<span class="latin-text">${character}</span>` : character;
  return parts.map((part) => (TAG.test(part) ? part : part.replace(/./gs, markCharacter))).join('');
}

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

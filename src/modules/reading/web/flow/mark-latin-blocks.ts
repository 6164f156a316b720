import { isLatinText } from '#platform/contract/is-latin-text.ts';

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

/** Adds the class to each heading, paragraph and list item that is mostly written in Latin letters. */
export const markLatinBlocks = (html: string): string =>
  html.replace(TEXT_BLOCK, (block, tag: string, attributes: string, content: string) =>
    isLatinText(content.replace(/<[^>]*>/g, '')) ? `<${tag}${withLatinClass(attributes)}>${content}</${tag}>` : block,
  );

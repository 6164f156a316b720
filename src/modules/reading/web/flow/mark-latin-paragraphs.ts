import { isLatinText } from '#platform/contract/latin-text.ts';

/** Adds the class to each paragraph of plain text that is mostly written in Latin letters. */
export const markLatinParagraphs = (html: string): string =>
  html.replace(/<p(?: class="(spaced)")?>([^<]*)<\/p>/g, (paragraph, spaced = '', text: string) =>
    isLatinText(text) ? `<p class="${[spaced, 'latin-text'].filter(Boolean).join(' ')}">${text}</p>` : paragraph,
  );

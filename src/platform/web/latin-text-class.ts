import { isLatinText } from '#platform/contract/is-latin-text.ts';

/**
 * CSS class for a text that is mostly written in Latin letters. Curly quotes, dashes and ellipses are the same
 * characters in Latin and Chinese text; the first font of the list determines their width.
 */
export const latinTextClass = (text: string): 'latin-text' | '' => (isLatinText(text) ? 'latin-text' : '');

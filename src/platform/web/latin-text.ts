import { isLatinText } from '#platform/contract/latin-text.ts';

/**
 * The class for a text that is mostly written in Latin letters. Curly quotes, dashes and ellipses are
 * the same characters in Latin and in Chinese text: the font that comes first decides their width.
 */
export const latinTextClass = (text: string): 'latin-text' | '' => (isLatinText(text) ? 'latin-text' : '');

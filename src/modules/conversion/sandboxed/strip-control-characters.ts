/** Keeps line ends and tabs. */
export const stripControlCharacters = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => (character === '\n' || character === '\t' ? character : ''));

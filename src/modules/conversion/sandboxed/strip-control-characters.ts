/** Control characters show nothing and break formats; line ends and tabs stay. */
export const stripControlCharacters = (text: string): string =>
  text.replace(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''));

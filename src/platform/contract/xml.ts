/** Escapes text for XML elements and attributes; removes characters that XML does not allow. */
export const escapeXml = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .toWellFormed()
    .replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text within XML, attributes included; what XML cannot hold at all is left out. */
export const escapeXml = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .toWellFormed()
    .replace(/[<>&'"]/g, (character) => `&#${character.charCodeAt(0)};`);

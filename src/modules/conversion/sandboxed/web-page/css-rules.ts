export type CssDeclaration = { name: string; value: string };
export type CssRule = { selectors: string[]; declarations: CssDeclaration[] };

/** Comments, strings, URLs and escapes: characters in them do not affect the structure. */
const OPAQUE_PARTS =
  /\/\*[\s\S]*?(?:\*\/|$)|<!--|-->|"(?:[^"\\\n]+|\\[\s\S])*["\n]?|'(?:[^'\\\n]+|\\[\s\S])*['\n]?|\burl\(\s*(?!["'\s])(?:[^)\\]+|\\[\s\S])*\)?|\\(?:([\da-f]{1,6})(?:\r\n|\s)?|[\s\S])/gi;

/** Removes comments, strings and URLs, and writes each escape as a backslash and one character. */
const simplifyCss = (css: string): string =>
  css.replace(OPAQUE_PARTS, (part: string, code: string | undefined) => {
    if (code) return escapedCharacter(Number.parseInt(code, 16));
    if (part.startsWith('\\')) return part;
    return /^["']/.test(part) ? '""' : ' ';
  });

/** Characters beyond U+FFFF are valid in names without a backslash. */
function escapedCharacter(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  const character = isCharacter ? String.fromCodePoint(code) : '\ufffd';
  return character.length > 1 ? character : `\\${character}`;
}

export const unescapeCss = (simplifiedCss: string): string => simplifiedCss.replace(/\\([\s\S])/g, '$1');

function parseDeclaration(text: string): CssDeclaration[] {
  const colon = text.indexOf(':');
  if (colon < 0) return [];
  const name = unescapeCss(text.slice(0, colon)).trim().toLowerCase();
  return [{ name, value: unescapeCss(text.slice(colon + 1)).trim() }];
}

/** Returns no selectors for an at-rule. */
const splitSelectors = (selectors: string): string[] =>
  selectors.startsWith('@') ? [] : (selectors.match(/(?:[^\\,]+|\\[\s\S])+/g) ?? []).map((selector) => selector.trim());

/**
 * Parses the rules of a style sheet. At-rules (media, fonts, pages) and nested rules are left out, because their
 * conditions are not evaluated. As in a browser, the end of the sheet closes an open rule.
 */
export function* parseStyleSheet(styleSheet: string): Generator<CssRule> {
  const css = simplifyCss(styleSheet);
  let depth = 0;
  let start = 0;
  let rule: CssRule = { selectors: [], declarations: [] };
  for (const { 0: delimiter, index } of css.matchAll(/\\[\s\S]|[{};]/g)) {
    if (delimiter.startsWith('\\')) continue;
    const text = css.slice(start, index);
    start = index + 1;
    // The text before an inner brace is the selector of a nested rule.
    if (depth === 1 && delimiter !== '{') rule.declarations.push(...parseDeclaration(text));
    if (delimiter === '{' && depth++ === 0) rule = { selectors: splitSelectors(text.trim()), declarations: [] };
    else if (delimiter === '}' && depth > 0 && --depth === 0) yield rule;
  }
  if (depth === 1) rule.declarations.push(...parseDeclaration(css.slice(start)));
  if (depth > 0) yield rule;
}

export const parseInlineStyle = (style: string): CssDeclaration[] =>
  style ? [...parseStyleSheet(`*{${style}`)].flatMap(({ declarations }) => declarations) : [];

import { formattedText } from './number-format.ts';

type Attributes = Record<string, string>;

/** The first is written by Excel, the second by programs that export tables. */
const DECLARATION =
  /(?:^|[;{\s])(?:mso-number-format|vnd\.ms-excel\.numberformat)\s*:\s*("(?:[^"\\]|\\[\s\S]){0,999}"|'(?:[^'\\]|\\[\s\S]){0,999}'|(?:[^;\\]|\\[\s\S]){1,999})/i;
const CELL_SELECTOR = /^(?:td|th)?(?:\.([\w\u0080-\uffff-]+))?$/i;
/** Excel writes escapes of four digits, which digits may follow. */
const ESCAPE = /\\(?:([\da-f]{4})|([\s\S]))/gi;

/** Names of formats in web pages, and the formats on a Chinese system. */
const namedFormats = new Map([
  ['general date', 'yyyy/m/d h:mm'],
  ['short date', 'yyyy/m/d'],
  ['medium date', 'd-mmm-yy'],
  ['long date', 'yyyy年m月d日'],
  ['short time', 'h:mm'],
  ['medium time', 'h:mm AM/PM'],
  ['long time', 'h:mm:ss'],
  ['fixed', '0.00'],
  ['standard', '#,##0.00'],
  ['percent', '0.00%'],
  ['scientific', '0.00E+00'],
]);

function declaredFormat(declarations: string): string | null {
  const value = DECLARATION.exec(declarations)?.[1]?.trim() ?? '';
  const code = value
    .replace(/^(["'])([\s\S]*)\1$/, '$2')
    .replace(ESCAPE, (_, digits: string | undefined, character = '') =>
      digits ? String.fromCharCode(Number.parseInt(digits, 16)) : character,
    );
  return namedFormats.get(code.toLowerCase()) ?? (code || null);
}

/** Formats of cells by class; those of all cells have the key ''. */
function parseFormatRules(styleSheets: string[]): Map<string, string> {
  const formats = new Map<string, string>();
  for (const rule of styleSheets.flatMap((styleSheet) => styleSheet.split('}'))) {
    const brace = rule.indexOf('{');
    const format = brace < 0 ? null : declaredFormat(rule.slice(brace));
    if (!format) continue;
    for (const selector of rule.slice(0, brace).replace('<!--', '').split(',')) {
      const match = selector.trim() ? CELL_SELECTOR.exec(selector.trim()) : null;
      if (match) formats.set(match[1] ?? '', format);
    }
  }
  return formats;
}

/** Returns a function that finds the number format of a cell, by its `style` attribute or the rules of the page. */
export function cellFormatFinder(styleSheets: string[]): (attributes: Attributes) => string | null {
  const formats = parseFormatRules(styleSheets);
  return ({ style = '', class: names = '', 'x:str': textMark }) => {
    if (textMark !== undefined) return null;
    const className = names.split(/\s+/).findLast((name) => name !== '' && formats.has(name));
    return declaredFormat(style) ?? formats.get(className ?? '') ?? null;
  };
}

/** Excel keeps 15 digits of a number; longer ones stay as they are written. */
const NUMBER = /^[+-]?(?=(?:\.?\d){1,15}$)\d+(?:\.\d+)?$/;
const TEXT_FORMAT = /^[^;]*@[^;]*$/;

/** Displayed text of a cell; a text that the page has formatted already stays as it is. */
export function formatHtmlCell(text: string, format: string | null): string {
  if (format === null || text === '' || /^general\b/i.test(format)) return text;
  if (TEXT_FORMAT.test(format)) return formattedText({ t: 's', v: text, z: format }, false) ?? text;
  return NUMBER.test(text) ? (formattedText({ v: Number(text), z: format }, false) ?? text) : text;
}

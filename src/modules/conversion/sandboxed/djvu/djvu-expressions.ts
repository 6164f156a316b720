import { RejectedFileError } from '../rejection-reasons.ts';

/** A list, a quoted text, or a bare word such as a number. */
export type DjvuExpression = DjvuExpression[] | { text: string } | string;

const MAX_DEPTH = 100;
const TOKEN = /[()]|"((?:[^"\\]|\\[\s\S])*)"|[^\s()"]+/g;
const ESCAPE = /\\(?:([0-7]{1,3})|([\s\S]))/g;
const CONTROL_CHARACTERS: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', b: '\b', a: '\x07' };

/** Parses what djvused prints. */
export function parseDjvuExpressions(source: string): DjvuExpression[] {
  const root: DjvuExpression[] = [];
  const stack = [root];
  for (const [token, quotedText] of source.matchAll(TOKEN)) {
    const list = stack.at(-1) ?? root;
    if (token === '(') {
      if (stack.length > MAX_DEPTH) throw new RejectedFileError('nested');
      const child: DjvuExpression[] = [];
      list.push(child);
      stack.push(child);
    } else if (token === ')') {
      if (stack.length > 1) stack.pop();
    } else list.push(quotedText === undefined ? token : { text: unescapeText(quotedText) });
  }
  return root;
}

const unescapeText = (quotedText: string): string =>
  quotedText.replace(ESCAPE, (_, octal?: string, character = '') =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8)) : (CONTROL_CHARACTERS[character] ?? character),
  );

import { PROSE } from './vocabulary.ts';
import type { Violation } from './vocabulary-names.ts';

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** Replaces characters and keeps every other one at its position and in its line. */
const blank = (text: string, filler: string): string => text.replace(/[^\n]/g, filler);

/** `start`: the position of the first character in the text of the file. */
export function proseViolations(file: string, text: string, prose: string, start: number): Violation[] {
  return PROSE.flatMap(([pattern, instead]) =>
    [...prose.matchAll(pattern)].map((match) => ({
      file,
      line: lineAt(text, start + match.index),
      word: match[0].replace(/\s+/g, ' '),
      instead,
    })),
  );
}

/** The comments of code in which no string contains a comment mark. Lines that follow one another are one comment. */
export const commentViolations = (file: string, code: string): Violation[] =>
  [...code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g)].flatMap((match) => {
    const prose = match[0].replace(/(?<=^|\n)[ \t]*(?:\/?\*+(?!\/)|\/\/+)/g, (mark) => blank(mark, ' '));
    return proseViolations(file, code, prose, match.index);
  });

/** Markdown, SQL, YAML and shell scripts. Code spans quote names, which are checked where they are declared. */
export function documentViolations(file: string, text: string): Violation[] {
  if (file.endsWith('.css')) return commentViolations(file, text);
  const commentMark = file.endsWith('.sql') ? /^[ \t]*--+/gm : /^[ \t]*#+/gm;
  const prose = text
    .replace(/(?<!`)`(?!`)(?:[^`\n]|\n(?![ \t]*\n))*`/g, (span) => blank(span, '`'))
    .replace(commentMark, (mark) => blank(mark, ' '));
  return proseViolations(file, text, prose, 0);
}

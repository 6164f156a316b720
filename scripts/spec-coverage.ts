import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export type CoverageRow = { number: number; statement: string; proofs: string[] };
type DeclaredTest = {
  name: string;
  /** Declared by `test.each` or `it.each`: one test for each row of a table. */
  isTable: boolean;
  source: string;
};

/** `| 12 | statement | file > test |`; a `|` within a cell is written `\|`. */
export function readRows(markdown: string): CoverageRow[] {
  return markdown
    .split('\n')
    .map((line) => /^\| (\d+) \| (.+?) \| (.*?) ?\|$/.exec(line))
    .filter((match) => match !== null)
    .map(([, number, statement = '', proofs = '']) => ({
      number: Number(number),
      statement: statement.replaceAll('\\|', '|'),
      proofs: proofs.replaceAll('\\|', '|').split('<br>').filter(Boolean),
    }));
}

export function renumberRows(markdown: string): string {
  let number = 0;
  return markdown.replace(/^\| \d+ \|/gm, () => {
    number += 1;
    return `| ${number} |`;
  });
}

/** Whether `test`, `it`, or a method of one of them is called; `isTable` for `.each(…)(…)`. */
function testCall(call: ts.CallExpression): { isTable: boolean } | null {
  let callee: ts.Expression = call.expression;
  const isTable = ts.isCallExpression(callee);
  if (ts.isCallExpression(callee)) callee = callee.expression;
  while (ts.isPropertyAccessExpression(callee)) callee = callee.expression;
  return ts.isIdentifier(callee) && /^(it|test)$/.test(callee.text) ? { isTable } : null;
}

const testsByFile = new Map<string, DeclaredTest[]>();
/** The tests that a file declares, with their source. */
export function declaredTests(path: string): DeclaredTest[] {
  const cachedTests = testsByFile.get(path);
  if (cachedTests) return cachedTests;
  const tests: DeclaredTest[] = [];
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    const kind = ts.isCallExpression(node) ? testCall(node) : null;
    if (kind && title && ts.isStringLiteralLike(title))
      tests.push({ name: title.text, ...kind, source: node.getText(file) });
    else ts.forEachChild(node, visit);
  };
  visit(file);
  testsByFile.set(path, tests);
  return tests;
}

/** Source of the test, of the shared part of its file, and of imported fixtures. */
export function sourceOf(path: string, { name, source }: DeclaredTest): string {
  let sharedSource = readFileSync(path, 'utf8');
  for (const test of declaredTests(path)) if (test.name !== name) sharedSource = sharedSource.replace(test.source, '');
  // In e2e every imported module is a test helper; elsewhere it may be the code under test.
  const fixtureImport = path.startsWith('e2e/') ? /from '(\.\/[\w-]+\.ts)'/g : /from '(\.[^']+\.fixture\.ts)'/g;
  const fixtures = [...sharedSource.matchAll(fixtureImport)]
    .map(([, importPath = '']) => join(dirname(path), importPath))
    .filter((importPath) => existsSync(importPath))
    .map((importPath) => readFileSync(importPath, 'utf8'));
  return [source, sharedSource, ...fixtures].join('\n');
}

/** Digits may be grouped in code: 30_000. */
const withoutGrouping = (text: string) => text.replace(/(\d)_(?=\d)/g, '$1');

/** Code spans and Chinese texts of a statement that do not occur in the source of its tests. */
export function missingLiterals(statement: string, source: string): string[] {
  const code = [...statement.matchAll(/`([^`]+)`/g)].map(([, literal = '']) => literal);
  const chinese = statement.match(/\p{Script=Han}{2,}/gu) ?? [];
  const text = withoutGrouping(source);
  return [...new Set([...code, ...chinese])].filter((literal) => !text.includes(literal));
}

/** Words that are not compared. */
const STOP_WORDS =
  /^(a|an|the|and|or|but|of|to|in|on|is|are|be|it|its|as|by|at|for|with|from|that|this|then|than|not|shown|each|other|only|one|any|here|there|which|what|our|we|so|also|both|see|such|whose|while|when|once|has|have|had|may|can|all|own|same|some|plus|these|those|they|them|their|i|s)$/;

/** The specification without headings and without the headers of its tables. */
export const specificationText = (markdown: string): string =>
  markdown.replace(/^.*\n(?=\|[-|]+\|$)/gm, '').replace(/^#+ .*$/gm, '');

/** The words, numbers and Chinese texts of a text, in lower case and in the singular. */
export function specificationWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{Script=Han}+|[a-z][a-z0-9_]*|\d+/gu) ?? [];
  return new Set(words.filter((word) => !STOP_WORDS.test(word)).map((word) => word.replace(/(?<=[a-z]{2})s$/, '')));
}

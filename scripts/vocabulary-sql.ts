import { nameProblem, type Violation } from './vocabulary-names.ts';

const ALLOWED_SQL_NAMES = new Set([
  // The variable of PL/pgSQL that says whether the last statement had rows.
  'found',
  // A category above another one in the tree.
  'ancestor_id',
  // A variable of the function close_credit_account. Released migrations do not change.
  'own',
]);

const CREATED_NAME =
  /\b(?:table|index|function|trigger|view|type|sequence|procedure)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?"?([a-z_][a-z0-9_]*)/gi;

/** The identifiers of a migration: tables, columns, functions, triggers, indexes, and variables of functions. */
export function migrationViolations(file: string, text: string): Violation[] {
  const code = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$\w*\$/g, (part) => part.replace(/[^\n]/g, ' '));
  const createdNames = new Set([...code.matchAll(CREATED_NAME)].map((match) => match[1]));
  const checkedNames = new Set<string>();
  const violations: Violation[] = [];
  for (const { 0: name, index } of code.matchAll(/[a-z_][a-z0-9_]*/gi)) {
    if (checkedNames.has(name) || ALLOWED_SQL_NAMES.has(name.toLowerCase())) continue;
    checkedNames.add(name);
    const problem = nameProblem(name, !createdNames.has(name));
    if (problem)
      violations.push({ file, line: code.slice(0, index).split('\n').length, word: problem[0], instead: problem[1] });
  }
  return violations;
}

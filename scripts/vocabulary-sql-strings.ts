import ts from 'typescript';

export type SqlName = { name: string; start: number };

const NAME = '"?([a-z_][a-z0-9_]*)';
const NAME_PATTERNS = [
  // A common table expression or a window, with or without a list of its columns.
  new RegExp(`${NAME}"?(?:\\s*\\([^()]*\\))?\\s+as\\s+(?:(?:not\\s+)?materialized\\s+)?\\(`, 'dgi'),
  // The alias of a column or table after `as`.
  new RegExp(`\\bas\\s+${NAME}`, 'dgi'),
  // The alias of a table, subquery or function directly after it. The lock `for update` has no alias.
  new RegExp(
    `(?:(?:\\b(?:from|join|into|using|lateral)|(?<!\\b(?:for|do) )\\bupdate|,)\\s+[\\w."]+|\\))\\s+(?=${NAME})`,
    'dgi',
  ),
  new RegExp(
    `\\bcreate\\s+(?:or\\s+replace\\s+)?(?:\\w+\\s+)?(?:table|index|function|trigger|view)\\s+(?:if\\s+not\\s+exists\\s+)?${NAME}`,
    'dgi',
  ),
];
/** A text in SQL, whose quotes a string of the code may escape, and a comment. */
const TEXT_OR_COMMENT = /\\?'(?:[^'\\]|'')*\\?'|--[^\n]*/g;
/** Words of SQL that stand where an alias may stand. */
const KEYWORDS = new Set(['following', 'materialized', 'overriding', 'preceding', 'returning', 'using']);

const STATEMENT =
  /^\s*(?:select\s[\s\S]*(?:\bfrom\s|\)(?:::\w+)?\s+as\s)|insert into\s|delete from\s|update\s+\S+(?:\s+\w+)?\s+set\s|create\s(?:or replace |temp |unique )?(?:table|index|function|trigger|view)\s|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\))?\s+as\s)/i;

const isSqlTag = (parent: ts.Node): boolean =>
  ts.isTaggedTemplateExpression(parent) && ts.isIdentifier(parent.tag) && parent.tag.text === 'sql';

/** Drizzle gives names to columns and subqueries in calls: `.as('name')`, `$with('name')`, `alias(table, 'name')`. */
function isAliasArgument(node: ts.Node, parent: ts.Node): boolean {
  if (!ts.isCallExpression(parent) || parent.arguments.at(-1) !== node) return false;
  const {
    expression,
    arguments: { length },
  } = parent;
  if (ts.isPropertyAccessExpression(expression))
    return length === 1 && (expression.name.text === 'as' || expression.name.text === '$with');
  return length === 2 && ts.isIdentifier(expression) && expression.text === 'alias';
}

/** The text of a string or template from its position in the file on. A value in a template counts as a name. */
function textAtPosition(node: ts.StringLiteralLike | ts.TemplateExpression, source: ts.SourceFile): string {
  const text = node.getText(source);
  if (ts.isStringLiteralLike(node)) return ` ${text.slice(1, -1)}`;
  let result = text.slice(1, -1);
  const start = node.getStart(source) + 1;
  for (const { expression } of node.templateSpans) {
    const [from, to] = [expression.pos - 2 - start, expression.end + 1 - start];
    result = result.slice(0, from) + '_'.repeat(to - from) + result.slice(to);
  }
  return ` ${result}`;
}

/** The names that a string declares if it is SQL: aliases of columns and tables, common table expressions, tables. */
export function sqlNames(node: ts.Node, parent: ts.Node, source: ts.SourceFile): SqlName[] {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return [];
  const start = node.getStart(source);
  if (ts.isStringLiteralLike(node) && isAliasArgument(node, parent)) return [{ name: node.text, start }];
  const text = textAtPosition(node, source).replace(TEXT_OR_COMMENT, (part) => '_'.repeat(part.length));
  if (!isSqlTag(parent) && !STATEMENT.test(text)) return [];
  const namesByStart = new Map<number, string>();
  for (const pattern of NAME_PATTERNS)
    for (const { 1: name = '', indices } of text.matchAll(pattern))
      if (!KEYWORDS.has(name.toLowerCase())) namesByStart.set(start + (indices?.[1]?.[0] ?? 0), name);
  return [...namesByStart].map(([position, name]) => ({ name, start: position }));
}

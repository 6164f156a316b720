import ts from 'typescript';

type TestName = { name: string; start: number };

/** Fields of an object in a table of tests that are part of the test's name. */
const NAME_FIELDS = new Set(['name', 'title', 'label', 'description', 'condition', 'situation']);

/** The expression that is called, without its methods: `test` of `test.skip.each([])('name')`. */
function calleeRoot(expression: ts.Expression): ts.Expression {
  if (
    ts.isCallExpression(expression) ||
    ts.isPropertyAccessExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  )
    return calleeRoot(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return calleeRoot(expression.tag);
  if (ts.isConditionalExpression(expression)) return calleeRoot(expression.whenTrue);
  return expression;
}

const withoutAssertion = (expression: ts.Expression): ts.Expression =>
  ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression) ? expression.expression : expression;

/** Reads the names of tests and groups of tests, of tables too, from nodes in the order of the file. */
export function createTestNameReader(source: ts.SourceFile): (node: ts.Node) => TestName[] {
  const testFunctions = new Set(['test', 'it', 'describe', 'suite']);
  const tables = new Map<string, ts.Expression>();
  const isTestFunction = (expression: ts.Expression): boolean => {
    const root = calleeRoot(expression);
    return ts.isIdentifier(root) && testFunctions.has(root.text);
  };
  const readText = (node: ts.Node | undefined): TestName[] => {
    if (!node) return [];
    const start = node.getStart(source);
    if (ts.isStringLiteralLike(node)) return [{ name: node.text, start }];
    if (!ts.isTemplateExpression(node)) return [];
    return [{ name: [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'), start }];
  };
  const readRow = (row: ts.Expression): TestName[] => {
    if (ts.isArrayLiteralExpression(row)) return readText(row.elements[0]);
    if (!ts.isObjectLiteralExpression(row)) return readText(row);
    return row.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && NAME_FIELDS.has(property.name.text)
        ? readText(property.initializer)
        : [],
    );
  };
  /** Also reads a table from a constant, and the table that `Object.entries` or another function gets. */
  const readTable = (table: ts.Expression | undefined): TestName[] => {
    if (!table) return [];
    if (ts.isIdentifier(table)) return readTable(tables.get(table.text));
    if (ts.isCallExpression(table)) return readTable(table.arguments[0]);
    if (ts.isObjectLiteralExpression(table)) return table.properties.flatMap(({ name }) => readText(name));
    const rows = withoutAssertion(table);
    if (!ts.isArrayLiteralExpression(rows)) return [];
    return rows.elements.flatMap((row) => (ts.isSpreadElement(row) ? readTable(row.expression) : readRow(row)));
  };
  const addDeclaration = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node) && node.propertyName && testFunctions.has(node.propertyName.text))
      testFunctions.add(node.name.text);
    if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isIdentifier(node.name)) return;
    const initializer = withoutAssertion(node.initializer);
    if (ts.isArrayLiteralExpression(initializer) || ts.isObjectLiteralExpression(initializer))
      tables.set(node.name.text, initializer);
    else if (isTestFunction(initializer)) testFunctions.add(node.name.text);
  };
  return (node) => {
    addDeclaration(node);
    if (!ts.isCallExpression(node) || !isTestFunction(node.expression)) return [];
    const [first] = node.arguments;
    const isTable = ts.isPropertyAccessExpression(node.expression) && /^(?:each|for)$/.test(node.expression.name.text);
    // A path in a table is data.
    return isTable ? readTable(first).filter(({ name }) => !/^\S*[./]\S*$/.test(name)) : readText(first);
  };
}
